/** Made by `node scripts/generate-rows.ts` from the statements of foreign.store.ts; do not edit. */

export interface ForeignRows {
  findSource: {
    id: string;
    repository_id: string;
    source_repository_id: string;
    source_branch: string;
    source_visibility: "internal" | "private" | "public" | null;
    source_problem: "access" | "size" | "visibility" | null;
    head_sha: string;
    author_id: string | null;
    visibility: "internal" | "private" | "public";
  };
  foreignSourcesMoved: never;
  noteProblem: never;
  agree: {
    id: string;
    owner: string;
    name: string;
    visibility: "internal" | "private" | "public";
  };
}
