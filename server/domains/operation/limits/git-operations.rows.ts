/** Made by `node scripts/generate-rows.ts` from the statements of git-operations.store.ts; do not edit. */

export interface GitOperationsRows {
  beginOperation: never;
  joinOperation: {
    taken: number;
  };
  endOperation: {
    requests: number;
  };
}
