import type { Schemas } from "@forgeline/client/schemas.ts";

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
] as const satisfies readonly Schemas["Status"][];
