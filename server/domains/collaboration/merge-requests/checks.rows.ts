/** Made by `node scripts/generate-rows.ts` from the statements of checks.store.ts; do not edit. */

export interface ChecksRows {
  claim: {
    id: string;
    repository_id: string;
    number: number | null;
    is_deleted: boolean | null;
    source_branch: string;
    target_branch: string;
    is_open: boolean;
    head_sha: string;
    target_sha: string;
    check_wanted: number;
    target_pusher_id: string | null;
    merging_sha: string | null;
    merging_by: string | null;
    is_merging: boolean | null;
  };
  finish: never;
  again: never;
  request: never;
  rest: never;
  later: never;
}
