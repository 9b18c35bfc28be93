/** Made by `node scripts/generate-rows.ts` from the statements of lock.store.ts; do not edit. */

export interface LockRows {
  listLocks: {
    id: string;
    path: string;
    owner_id: string;
    owner: string;
    locked_at: Date;
  };
  insertLock: {
    id: string;
  };
  deleteLock: never;
}
