/** Made by `node scripts/generate-rows.ts` from the statements of auto-merges.store.ts; do not edit. */

export interface AutoMergesRows {
  enable: never;
  findStanding: {
    sha: string | null;
    target_branch: string;
    head_sha: string;
    target_now: string;
    is_own: boolean;
    writes: boolean;
  };
  touch: never;
  remove: {
    merging_sha: string | null;
    user_id: string | null;
  };
  isStillWanted: {
    merge_request_id: string;
  };
  begin: {
    merge_request_id: string;
  };
  wakeByRuns: never;
  claim: {
    merge_request_id: string;
    user_id: string | null;
    strategy: "fast_forward" | "merge" | "rebase" | "squash";
    commit_message: string | null;
    delete_source_branch: boolean;
    may_push: boolean;
    wanted: number;
    enabled_at: Date;
    repository_id: string;
    number: number | null;
  };
  wait: never;
}
