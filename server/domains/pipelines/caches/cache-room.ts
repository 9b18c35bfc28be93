/** Room for caches of a repository: what was not used for the longest time gives way. */
import type { CacheLimits } from "../../../config/caches.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import * as store from "./cache.store.ts";

/** Keeps lists and look-ups short, however small entries are. */
export const maxCacheEntries = 2_000;
const lookedAt = 200;

export interface WantedRoom {
  repositoryId: string;
  bytes: number;
  entries: number;
}

/** How many were removed. Throws `quota_exceeded` where uploads under way take all of it. */
export async function makeRoom(
  tx: Transaction,
  limits: Pick<CacheLimits, "repositoryBytes">,
  { repositoryId, bytes, entries }: WantedRoom,
): Promise<number> {
  await store.lockRoom(tx, repositoryId);
  const used = await store.sumRoom(tx, repositoryId);
  let [tooManyBytes, tooManyEntries] = [
    used.bytes + bytes - limits.repositoryBytes,
    used.entries + entries - maxCacheEntries,
  ];
  let removed = 0;
  while (tooManyBytes > 0 || tooManyEntries > 0) {
    const oldest = await store.listLeastUsed(tx, repositoryId, lookedAt);
    const gone: string[] = [];
    for (const row of oldest) {
      if (tooManyBytes <= 0 && tooManyEntries <= 0) break;
      gone.push(row.id);
      tooManyBytes -= row.size_bytes;
      tooManyEntries -= 1;
    }
    if (gone.length === 0)
      throw new AppError("quota_exceeded", {
        message: `The caches of a repository can have at most ${limits.repositoryBytes} bytes together, and others are being saved.`,
      });
    await store.evict(tx, gone);
    removed += gone.length;
  }
  return removed;
}
