/** Made by `node scripts/generate-rows.ts` from the statements of threads.store.ts; do not edit. */

export interface ThreadsRows {
  findThread: {
    id: string;
    merge_request_id: string;
    repository_id: string;
    author_id: string | null;
    path: string;
    side: "new" | "old";
    start_line: number | null;
    line: number | null;
    commit_sha: string;
    excerpt: string;
    current_path: string;
    current_start_line: number | null;
    current_line: number | null;
    current_sha: string;
    is_outdated: boolean;
    resolved_at: Date | null;
    created_at: Date;
    resolved_by: unknown;
    number: number;
    proposer_id: string | null;
    locked: boolean;
    is_pending: boolean;
    comments_count: number;
    updated_at: Date;
  };
  lockThread: {
    id: string;
  };
  holdThread: {
    id: string;
  };
  listThreads: {
    id: string;
    merge_request_id: string;
    repository_id: string;
    author_id: string | null;
    path: string;
    side: "new" | "old";
    start_line: number | null;
    line: number | null;
    commit_sha: string;
    excerpt: string;
    current_path: string;
    current_start_line: number | null;
    current_line: number | null;
    current_sha: string;
    is_outdated: boolean;
    resolved_at: Date | null;
    created_at: Date;
    resolved_by: unknown;
    number: number;
    proposer_id: string | null;
    locked: boolean;
    is_pending: boolean;
    comments_count: number;
    updated_at: Date;
  };
  countThreads: {
    total: number;
  };
  countAll: {
    total: number;
  };
  countOwn: {
    total: number;
  };
  insertThread: {
    is_behind: boolean;
  };
  setResolved: never;
  removeEmpty: never;
  removeAllEmpty: never;
  toFollow: {
    id: string;
    side: "new" | "old";
    current_path: string;
    current_start_line: number | null;
    current_line: number | null;
    current_sha: string;
  };
  moveThreads: never;
  outdateThreads: never;
}
