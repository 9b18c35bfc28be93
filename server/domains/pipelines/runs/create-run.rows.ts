/** Made by `node scripts/generate-rows.ts` from the statements of create-run.store.ts; do not edit. */

export interface CreateRunRows {
  insertRun: {
    id: string;
    number: number;
  };
  holdRepository: {
    id: string;
  };
}
