/** Made by `node scripts/generate-rows.ts` from the statements of silence.store.ts; do not edit. */

export interface SilenceRows {
  setUnreachable: {
    pipelineId: string;
  };
  findLapsed: {
    id: string;
  };
  lockLapsed: {
    id: string;
  };
}
