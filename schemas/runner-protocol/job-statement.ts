/** What a signature says about a job: the payload of a `SignedJob`, as JSON. */
import { z } from "zod";
import { PipelineEvent } from "../pipeline-file/event.ts";
import { LeaseSpec } from "./lease.ts";
import { clockMs } from "./field-limits.ts";

/**
 * Everything that decides what is executed. Not in it: values of secrets, the job's tokens, log streams and limits, and the epoch,
 * none of which is known when a job is queued. Of the changed paths, which can be megabytes, there is a SHA-256.
 */
export const JobStatement = LeaseSpec.pick({
  attemptId: true,
  jobId: true,
  pipelineId: true,
  pipelineNumber: true,
  repositoryId: true,
  attempt: true,
  job: true,
  env: true,
  needs: true,
  matrix: true,
  pipelineName: true,
  ciEnv: true,
  clone: true,
}).extend({
  version: z.literal(1),
  /** `owner/name` when it was signed. */
  repository: z.string(),
  signedAtMs: clockMs,
  /** When it has waited for a runner as long as its file allows. */
  validUntilMs: clockMs,
  event: PipelineEvent.omit({ changedPaths: true }),
  changedPathsHash: z.string(),
});
export type JobStatement = z.infer<typeof JobStatement>;
