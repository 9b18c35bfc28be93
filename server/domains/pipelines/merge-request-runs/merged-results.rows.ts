/** Made by `node scripts/generate-rows.ts` from the statements of merged-results.store.ts; do not edit. */

export interface MergedResultsRows {
  note: never;
  findUnused: {
    repository_id: string;
    number: number;
    sha: string;
  };
  forgetUnused: {
    sha: string;
  };
  listOf: {
    repository_id: string;
    number: number;
    sha: string;
  };
  findIdle: {
    repository_id: string;
    number: number;
    sha: string;
  };
  forget: never;
  postpone: never;
}
