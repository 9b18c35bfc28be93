/** Made by `node scripts/generate-rows.ts` from the statements of references.store.ts; do not edit. */

export interface ReferencesRows {
  resolve: {
    id: string;
    kind: "issue" | "merge_request";
    number: number;
    owner: string;
    name: string;
  };
  forget: never;
  keep: never;
  listClosed: {
    repository_id: string;
    number: number;
  };
  findClosable: {
    default_branch: string;
    owner: string;
    name: string;
  };
  listOpen: {
    number: number;
  };
}
