/** Made by `node scripts/generate-rows.ts` from the statements of jobs.store.ts; do not edit. */

export interface JobsRows {
  writeNames: never;
  readSizes: {
    id: string;
    bytes: number;
    outputs: Record<string, string> | null;
  };
  readOutputs: {
    id: string;
    outputs: Record<string, string>;
  };
  changeCombinations: never;
  addCombinations: never;
}
