/** Made by `node scripts/generate-rows.ts` from the statements of queued-owners.store.ts; do not edit. */

export interface QueuedOwnersRows {
  queuedOwners: {
    owner: string;
    length: number;
    oldestSeconds: number;
  };
}
