// Generated from schemas/background-work/routes.ts by `npm run generate`; do not edit.

/** Kinds of background work that can be asked for. */
export const workKinds = [
  "pipeline_run",
  "repository_upkeep",
  "repository_statistics",
] as const;

/** States that can be asked for; `unsuccessful` is several of the others. */
export const workStates = [
  "running",
  "completed",
  "failed",
  "timed_out",
  "cancelled",
  "terminated",
  "unsuccessful",
] as const;
