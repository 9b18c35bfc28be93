/** Made by `node scripts/generate-rows.ts` from the statements of subjects.store.ts; do not edit. */

export interface SubjectsRows {
  findBefore: {
    is_open: boolean;
    target_branch: string;
    draft: boolean;
    labels: string[];
    happened: string[];
  };
  follow: never;
  again: {
    merge_request_id: string;
  };
  mergeable: never;
  claim: {
    merge_request_id: string;
    repository_id: string;
    number: number;
    is_open: boolean;
    source_repository_id: string | null;
    source_branch: string;
    target_branch: string;
    head_sha: string;
    title: string;
    draft: boolean;
    labels: string[];
    author_id: string | null;
    pusher_id: string | null;
    actor_id: string | null;
    reach: "here" | "reads" | "starts";
    wanted: number;
    due_at: Date | null;
    tried: number;
    happened: string[];
    base_sha: string | null;
    waits_for_merge: boolean;
    author: string | null;
    actor: string | null;
    may_run: boolean | null;
  };
  later: never;
  finish: {
    merge_request_id: string;
  };
  stillWaits: never;
  rest: never;
  areTrusted: {
    trusted: boolean;
  };
  findOfSource: {
    number: number;
    target_branch: string;
    draft: boolean;
    title: string;
    labels: string[];
    head_sha: string;
    author: string | null;
  };
  lockSubject: {
    is_open: boolean;
    head_sha: string;
    author_id: string | null;
  };
  findPushRuns: {
    file: string;
    number: number;
  };
  findWaiting: {
    id: string;
    number: number;
    file: string;
    head_sha: string;
  };
  findOpenRuns: {
    id: string;
    number: number;
  };
  findRepository: {
    owner: string;
    name: string;
    defaultBranch: string;
    onMergedResult: boolean;
  };
}
