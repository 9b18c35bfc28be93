/** Whether a run gets on by itself, or waits for people, time or a slot; what the job that started it says of that. Pure. */
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";

/** Of a running job: the pipeline that it has started waits. */
export const childWaits = "child_waits";

interface Part {
  status: Status;
  reason: string | null;
  message: string | null;
}

/** The first job that waits so, if nothing else is in progress. */
export function heldPart(jobs: readonly Part[]): Part | undefined {
  const open = jobs.filter(({ status }) => !isFinal(status));
  const isIdle = open.every((job) => isHeld(job) || (job.status === "waiting" && job.reason !== "retry"));
  return isIdle ? open.find(isHeld) : undefined;
}

function isHeld({ status, reason }: Part): boolean {
  if (status === "awaiting_approval") return true;
  if (status === "running") return reason === childWaits;
  return status === "waiting" && /^(?:concurrency|environment_wait):/.test(reason ?? "");
}

/** Another repository is not named, nor who approves there: not everybody who sees the job may see that. */
export function childWaitText(
  { status, message }: Part,
  { number, isHere }: { number: number; isHere: boolean },
) {
  if (isHere && message !== null) return `The pipeline that it started, #${number}: ${message}`;
  const what = status === "awaiting_approval" ? "waits for approval" : "waits";
  return `The pipeline that it started ${what}.`;
}
