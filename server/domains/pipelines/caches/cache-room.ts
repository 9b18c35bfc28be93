/** Room for caches of a repository: what was not used for the longest time gives way to what is saved. */
import type { CacheLimits } from "../../../config/caches.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import * as store from "./cache.store.ts";

/** Keeps lists and look-ups short, however small entries are. */
const maxCacheEntries = 2_000;
const lookedAt = 200;

interface WantedRoom {
  repositoryId: string;
  bytes: number;
}

/**
 * For a part of an upload. Nothing gives way before an upload is complete, so uploads under way have as much room again. Throws
 * `quota_exceeded`.
 */
export async function requireUploadRoom(
  tx: Transaction,
  limits: Pick<CacheLimits, "repositoryBytes">,
  { repositoryId, bytes }: WantedRoom,
): Promise<void> {
  await store.lockRoom(tx, repositoryId);
  const { uploading } = await store.sumRoom(tx, repositoryId);
  if (uploading + bytes > limits.repositoryBytes)
    throw new AppError("quota_exceeded", {
      message: `The caches of a repository can have at most ${limits.repositoryBytes} bytes together, and others are being saved.`,
    });
}

/** For an entry that is complete. How many were removed. */
export async function makeRoom(
  tx: Transaction,
  limits: Pick<CacheLimits, "repositoryBytes">,
  { repositoryId, bytes }: WantedRoom,
): Promise<number> {
  await store.lockRoom(tx, repositoryId);
  const used = await store.sumRoom(tx, repositoryId);
  let tooManyBytes = used.saved + bytes - limits.repositoryBytes;
  let tooManyEntries = used.entries + 1 - maxCacheEntries;
  let removed = 0;
  while (tooManyBytes > 0 || tooManyEntries > 0) {
    const gone: string[] = [];
    for (const row of await store.listLeastUsed(tx, repositoryId, lookedAt)) {
      if (tooManyBytes <= 0 && tooManyEntries <= 0) break;
      gone.push(row.id);
      tooManyBytes -= row.size_bytes;
      tooManyEntries -= 1;
    }
    if (gone.length === 0) break;
    await store.evict(tx, gone);
    removed += gone.length;
  }
  return removed;
}
