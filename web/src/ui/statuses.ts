/** What a run, a stage, a job and a step can be, and what that means for what is shown. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Status = Schemas["Status"];

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
] as const satisfies readonly Status[];

const finalStatuses: ReadonlySet<Status> = new Set(["success", "failed", "error", "cancelled", "skipped"]);

export function isOver(status: Status): boolean {
  return finalStatuses.has(status);
}

export function isBad(status: Status): boolean {
  return status === "failed" || status === "error";
}
