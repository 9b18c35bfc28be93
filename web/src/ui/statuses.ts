/** What the status of a run, a stage, a job or a step means for what is shown. */
import { finalStatuses } from "@forgeline/client/generated/statuses.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";

type Status = Schemas["Status"];

const final: ReadonlySet<Status> = new Set(finalStatuses);

export function isOver(status: Status): boolean {
  return final.has(status);
}

export function isBad(status: Status): boolean {
  return status === "failed" || status === "error";
}
