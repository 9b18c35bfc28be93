/** What an identity token says about its job. Pure. */
import type { ClaimFacts } from "./id-tokens.store.ts";

/** No token is valid for longer. */
const longestSeconds = 60 * 60;
/** For what a job does before its first step: pulling images, checking out. */
const startSeconds = 5 * 60;
/** Clocks of services may be behind ours. */
const clockSkewSeconds = 60;

export const claimNames = [
  "iss",
  "sub",
  "aud",
  "iat",
  "nbf",
  "exp",
  "jti",
  "repository",
  "repository_id",
  "repository_owner",
  "repository_visibility",
  "ref",
  "ref_type",
  "protected",
  "environment",
  "sha",
  "event",
  "actor",
  "run_id",
  "run_number",
  "pipeline",
  "stage",
  "job",
  "job_id",
  "attempt",
] as const;
/** Without `environment` where the job deploys to none, or to one that a job has made up and nobody has confirmed. */
export type Claims = Partial<Record<(typeof claimNames)[number], string | number | boolean>>;

export interface IdTokenRequest {
  issuer: string;
  audience: string;
  /** Of the token alone. */
  id: string;
  now: Date;
  timeoutMs: number;
  /** The ref is a protected branch or tag. */
  isProtected: boolean;
}

/** In the order in which they are signed. `docs/pipelines/id-tokens.md` tells what each means. */
export function claimsOf(facts: ClaimFacts, request: IdTokenRequest): Claims {
  const { repository, ref, environment } = facts;
  const now = Math.floor(request.now.getTime() / 1000);
  const lifetime = Math.min(longestSeconds, Math.ceil(request.timeoutMs / 1000) + startSeconds);
  return {
    iss: request.issuer,
    sub: `repo:${repository}:${environment === null ? `ref:${ref}` : `environment:${environment}`}`,
    aud: request.audience,
    iat: now,
    nbf: now - clockSkewSeconds,
    exp: now + lifetime,
    jti: request.id,
    repository,
    repository_id: facts.repositoryId,
    repository_owner: facts.owner,
    repository_visibility: facts.visibility,
    ref,
    ref_type: ref.startsWith("refs/tags/") ? "tag" : "branch",
    protected: request.isProtected,
    ...(environment === null ? {} : { environment }),
    sha: facts.sha,
    event: facts.event,
    actor: facts.actor,
    run_id: facts.runId,
    run_number: facts.runNumber,
    pipeline: facts.pipeline,
    stage: facts.stage,
    job: facts.job,
    job_id: facts.jobId,
    attempt: facts.attempt,
  };
}
