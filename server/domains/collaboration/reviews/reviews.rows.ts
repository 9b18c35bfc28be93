/** Made by `node scripts/generate-rows.ts` from the statements of reviews.store.ts; do not edit. */

export interface ReviewsRows {
  findReview: {
    id: string;
    merge_request_id: string;
    repository_id: string;
    author_id: string | null;
    imported_author: string | null;
    state: "approved" | "changes_requested" | "commented" | "dismissed" | "pending";
    body: string;
    head_sha: string;
    submitted_at: Date | null;
    dismissed_at: Date | null;
    dismissed_reason: string | null;
    created_at: Date;
    updated_at: Date;
    author: unknown;
    dismissed_by: unknown;
    number: number;
    stale: boolean;
    counts: boolean;
    comments_count: number;
    proposer_id: string | null;
    locked: boolean;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
  listReviews: {
    id: string;
    merge_request_id: string;
    repository_id: string;
    author_id: string | null;
    imported_author: string | null;
    state: "approved" | "changes_requested" | "commented" | "dismissed" | "pending";
    body: string;
    head_sha: string;
    submitted_at: Date | null;
    dismissed_at: Date | null;
    dismissed_reason: string | null;
    created_at: Date;
    updated_at: Date;
    author: unknown;
    dismissed_by: unknown;
    number: number;
    stale: boolean;
    counts: boolean;
    comments_count: number;
    proposer_id: string | null;
    locked: boolean;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
  countReviews: {
    seen: number;
    total: number;
  };
  countOwn: {
    total: number;
  };
  findPending: {
    id: string;
    head_sha: string;
  };
  insertReview: {
    id: string;
    head_sha: string;
  };
  submitReview: never;
  setBody: never;
  deleteReview: never;
  dismissReview: never;
}
