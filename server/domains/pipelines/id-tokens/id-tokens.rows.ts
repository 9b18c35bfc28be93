/** Made by `node scripts/generate-rows.ts` from the statements of id-tokens.store.ts; do not edit. */

export interface IdTokensRows {
  findFacts: {
    repository: string;
    owner: string;
    repositoryId: string;
    visibility: "internal" | "private" | "public";
    ref: string;
    sha: string;
    event: "api" | "fork_sync" | "manual" | "merge_request" | "mirror_sync" | "pipeline" | "push" | "schedule" | "tag";
    actor: string | null;
    runId: string;
    runNumber: number;
    pipeline: string;
    stage: string;
    job: string;
    jobId: string;
    attempt: number;
    environment: string | null;
  };
  insert: never;
  listGiven: {
    name: string;
    key_id: string;
    claims: string;
  };
}
