/** Made by `node scripts/generate-rows.ts` from the statements of imported.store.ts; do not edit. */

export interface ImportedRows {
  reserveNumbers: never;
  insertLabel: {
    id: string;
  };
  insertMilestone: {
    id: string;
  };
  insertItem: {
    id: string;
  };
  addLabels: never;
  addAssignees: never;
  hasOpen: {
    found: boolean;
  };
  insertMergeRequest: never;
  findItem: {
    id: string;
    kind: "issue" | "merge_request";
    comments_count: number;
    head_sha: string | null;
    merge_base_sha: string | null;
    is_open: boolean | null;
  };
  nextItem: {
    number: number | null;
  };
  insertComment: never;
  countComment: never;
  insertReview: never;
  insertReviewed: never;
  countReviews: {
    count: number;
  };
  countThreads: {
    count: number;
  };
  insertThread: never;
}
