/** What a signature says about an attempt that was just queued. Pure. */
import { createHash } from "node:crypto";
import type { JobStatement } from "@forgeline/schemas/runner-protocol/job-statement.ts";
import { executionOf, type InstanceAddresses, type LeaseMaterial } from "../leases/lease-spec.ts";

/** Clocks of runners and servers differ. */
const clockSkewMs = 10 * 60_000;

/** The same that the lease will say, unless somebody changes it in between. */
export function jobStatement(
  material: LeaseMaterial,
  { addresses, nowMs }: { addresses: InstanceAddresses; nowMs: number },
): JobStatement {
  const { attemptId, jobId, pipelineId, pipelineNumber, repositoryId, attempt, ...execution } = executionOf(
    material,
    addresses,
  );
  const { changedPaths, ...event } = execution.event;
  return {
    version: 1,
    attemptId,
    jobId,
    pipelineId,
    pipelineNumber,
    repositoryId,
    attempt,
    repository: `${material.owner}/${material.repository}`,
    signedAtMs: nowMs,
    validUntilMs: nowMs + material.job.queueTimeoutMs + clockSkewMs,
    ...execution,
    event,
    changedPathsHash: createHash("sha256").update(JSON.stringify(changedPaths)).digest("hex"),
  };
}
