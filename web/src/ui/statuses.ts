/** What the status of a run, a stage, a job or a step means for what is shown. */
import { failedStatuses, finalStatuses } from "@forgeline/client/generated/statuses.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";

type Status = Schemas["Status"];

const final: ReadonlySet<Status> = new Set(finalStatuses);
const failed: ReadonlySet<Status> = new Set(failedStatuses);

export function isOver(status: Status): boolean {
  return final.has(status);
}

export function isUnsuccessful(status: Status): boolean {
  return failed.has(status);
}
