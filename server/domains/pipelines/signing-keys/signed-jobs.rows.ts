/** Made by `node scripts/generate-rows.ts` from the statements of signed-jobs.store.ts; do not edit. */

export interface SignedJobsRows {
  insert: never;
}
