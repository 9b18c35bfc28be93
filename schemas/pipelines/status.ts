/** The one vocabulary of statuses for pipeline, stage, job and step (`pipelines.md` section 5). */
import { z } from "zod";

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
export const Status = z.enum(statuses).meta({ id: "Status" });
export type Status = z.infer<typeof Status>;

export const finalStatuses = ["success", "failed", "error", "cancelled", "skipped"] as const;
/** Those of what did not do what it should. */
export const failedStatuses = ["failed", "error"] as const satisfies readonly FinalStatus[];
export type FinalStatus = (typeof finalStatuses)[number];

export function isFinal(status: Status): status is FinalStatus {
  return (finalStatuses as readonly Status[]).includes(status);
}
