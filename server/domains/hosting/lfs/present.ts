/** Locks as the clients of Git LFS see them. */
import type { LfsLock } from "@forgeline/schemas/lfs/messages.ts";
import type { LockRow } from "./lock.store.ts";

export function presentLock(row: LockRow): LfsLock {
  return {
    id: row.id,
    path: row.path,
    locked_at: row.locked_at.toISOString(),
    owner: { name: row.owner },
  };
}
