/** Made by `node scripts/generate-rows.ts` from the statements of fork-decisions.store.ts; do not edit. */

export interface ForkDecisionsRows {
  find: {
    id: string;
    repository_id: string;
    number: number | null;
    sha: string;
    head_sha: string;
    needs_approval: boolean;
    is_open: boolean;
    plan_sha256: string;
    author: string | null;
    decision: "approve" | "reject" | null;
    comment: string | null;
    decided_at: Date | null;
    decided_sha256: string | null;
    user_id: string | null;
    username: string | null;
    may_decide: boolean;
  };
  list: {
    id: string;
    repository_id: string;
    number: number | null;
    sha: string;
    head_sha: string;
    needs_approval: boolean;
    is_open: boolean;
    plan_sha256: string;
    author: string | null;
    decision: "approve" | "reject" | null;
    comment: string | null;
    decided_at: Date | null;
    decided_sha256: string | null;
    user_id: string | null;
    username: string | null;
    may_decide: boolean;
  };
  findMergeRequestOf: {
    repository_id: string;
    number: number | null;
    waits: boolean;
  };
  listUnapproved: {
    id: string;
    repository_id: string;
    number: number;
    merge_request_number: number | null;
    sha: string;
    repository: string;
  };
  insert: never;
}
