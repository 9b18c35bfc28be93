/** Why a run did not succeed, in one sentence about the jobs that ended badly. Pure. */
import { combinationName } from "@forgeline/compiler/matrix.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { RunJob } from "./run-record.ts";

type Failing = Pick<RunJob, "status" | "reason" | "message" | "allowed" | "key" | "matrix">;

/** Names the first of `jobs` that gave the run its `status`, and counts the others. Null for a run that ended otherwise. */
export function runFailure(
  jobs: readonly Failing[],
  status: Status,
): { reason: string; message: string } | null {
  const failing = jobs.filter((job) => !job.allowed && isFailure(job.status));
  const first = failing.find((job) => job.status === status);
  if (!first || first.reason === null) return null;
  const { reason, message, key, matrix } = first;
  return {
    reason,
    message: `${combinationName(key, matrix)}: ${message ?? reason}${others(failing.length - 1)}`,
  };
}

function isFailure(status: Status): boolean {
  return status === "failed" || status === "error";
}

function others(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " And 1 more job did not succeed." : ` And ${count} more jobs did not succeed.`;
}
