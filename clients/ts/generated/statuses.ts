// Generated from schemas/pipelines/status.ts by `npm run generate`; do not edit.

/** Every status that a run, a stage, a job or a step can have, in the order of its life. */
export const statuses = [
  "created",
  "waiting",
  "awaiting_approval",
  "queued",
  "running",
  "cancelling",
  "success",
  "failed",
  "error",
  "cancelled",
  "skipped",
] as const;

/** Those that never change again. */
export const finalStatuses = [
  "success",
  "failed",
  "error",
  "cancelled",
  "skipped",
] as const;

/** Those of what did not do what it should. */
export const failedStatuses = [
  "failed",
  "error",
] as const;
