/** Made by `node scripts/generate-rows.ts` from the statements of suggestions.store.ts; do not edit. */

export interface SuggestionsRows {
  listSuggesting: {
    id: string;
    body: string;
    author_id: string | null;
    thread_id: string;
    path: string;
    start_line: number | null;
    line: number;
    commit_sha: string;
    current_path: string;
    current_line: number | null;
    current_sha: string;
    is_outdated: boolean;
    is_resolved: boolean;
  };
  countSuggesting: {
    total: number;
  };
  findSuggesting: {
    id: string;
    body: string;
    author_id: string | null;
    thread_id: string;
    path: string;
    start_line: number | null;
    line: number;
    commit_sha: string;
    current_path: string;
    current_line: number | null;
    current_sha: string;
    is_outdated: boolean;
    is_resolved: boolean;
  };
  listApplied: {
    comment_id: string;
    position: number;
    digest: string;
    sha: string;
    applied_at: Date;
    applied_by: unknown;
  };
  insertApplied: never;
}
