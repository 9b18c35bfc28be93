/** The time limit of a job as a whole: the file's, or that of this runner if it is shorter. */
import type { JobContext } from "./job-context.ts";
import type { StopRequest } from "./job-stop.ts";
import { clampTimer, killGraceMs } from "./step-watch.ts";

/** Counts from the job's first start, also on a runner that was restarted meanwhile. */
export function startJobTimer(
  { record, spec, settings }: JobContext,
  stop: (request: StopRequest) => void,
): NodeJS.Timeout {
  const elapsedMs = Math.max(0, Date.now() - record.startedAtMs);
  const ofFile = spec.job.timeoutMs;
  const ofRunner = settings.limits.jobMs ?? Infinity;
  const message =
    ofRunner < ofFile
      ? "The job exceeded the time limit of this runner (FORGELINE_RUNNER_MAX_JOB_TIME)."
      : "The job exceeded its time limit.";
  return setTimeout(
    () => stop({ status: "failed", reason: "timeout", message, graceMs: killGraceMs, force: false }),
    clampTimer(Math.max(0, Math.min(ofFile, ofRunner) - elapsedMs)),
  );
}
