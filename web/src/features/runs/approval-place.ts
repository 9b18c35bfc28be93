/** What a gate is before, in words. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/approvals.ts";

export function placeOf({
  stage,
  job,
  environment,
}: Pick<Schemas["ApprovalGate"], "stage" | "job" | "environment">): string {
  if (job === null) return text.stage(stage);
  return environment === null ? text.job(job) : text.jobTo(job, environment);
}
