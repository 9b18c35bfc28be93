/** Made by `node scripts/generate-rows.ts` from the statements of steps.store.ts; do not edit. */

export interface StepsRows {
  startStep: {
    isPlanned: boolean;
  };
  endStep: {
    isPlanned: boolean;
  };
  endOpenSteps: never;
}
