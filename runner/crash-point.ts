/**
 * Named places at which a test may kill the runner, as `server/platform/crash-point.ts` on the other side. Nothing
 * happens unless `FORGELINE_CRASH_AT` names the point.
 */
export const crashPoints = [
  "lease.saved-before-ack",
  "job-container.created-before-started",
  "step-container.created-before-started",
  "step.recorded-before-started",
  "step.started-before-reported",
  "step.exited-before-reported",
  "artifact.uploaded-before-result",
  "cache.paused-before-read",
  "cache.handed-over-before-sent",
  "result.saved-before-sent",
  "result.taken-before-forgotten",
] as const;
export type CrashPoint = (typeof crashPoints)[number];

export function crashPoint(name: CrashPoint): void {
  if (process.env["FORGELINE_CRASH_AT"] === name) process.kill(process.pid, "SIGKILL");
}
