/** Made by `node scripts/generate-rows.ts` from the statements of ended-runs.store.ts; do not edit. */

export interface EndedRunsRows {
  readEnded: {
    run: unknown;
  };
}
