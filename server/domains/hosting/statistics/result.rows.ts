/** Made by `node scripts/generate-rows.ts` from the statements of result.store.ts; do not edit. */

export interface ResultRows {
  readCursor: {
    commit: string | null;
    rules: string;
  };
  touchCursor: never;
  deleteLanguages: never;
  moveCursor: never;
  insertCursor: {
    repository_id: string;
  };
  lockCursor: {
    commit: string | null;
    rules: string;
  };
  deleteWeeks: never;
  deleteContributors: never;
  deleteContributorWeeks: never;
  addWeeks: never;
  addContributors: never;
  addContributorWeeks: never;
  addLanguages: never;
  deleteEmptyLanguages: never;
}
