/** Made by `node scripts/generate-rows.ts` from the statements of pushed.store.ts; do not edit. */

export interface PushedRows {
  findMerging: {
    number: number;
    target_branch: string;
    merging_sha: string | null;
    merging_tip: string | null;
    merging_by: string | null;
  };
  findOfSources: {
    number: number;
    source_branch: string;
    head_sha: string;
    repository_id: string;
  };
  findOfTargets: {
    number: number;
    target_branch: string;
  };
  findEnded: {
    number: number;
    repository_id: string;
    source_branch: string;
    head_sha: string;
  };
  lockItems: {
    id: string;
  };
  lockOpen: {
    id: string;
  };
  findNextTarget: {
    target_branch: string;
  };
  retarget: {
    id: string;
  };
  findProposals: {
    branch: string;
    full_name: string;
    upstream_id: string | null;
    target_id: string | null;
    number: number | null;
  };
  targetsMoved: never;
}
