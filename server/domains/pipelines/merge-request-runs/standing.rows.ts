/** Made by `node scripts/generate-rows.ts` from the statements of standing.store.ts; do not edit. */

export interface StandingRows {
  runs: {
    is_due: boolean;
    is_running: boolean;
    has_failed: boolean;
  };
}
