/** Made by `node scripts/generate-rows.ts` from the statements of traced-run.store.ts; do not edit. */

export interface TracedRunRows {
  listReopenings: {
    at: Date;
  };
  findStarter: {
    pipelineId: string;
    sequence: number;
    attemptId: string;
  };
  listStarted: {
    pipelineId: string;
    attemptId: string;
  };
}
