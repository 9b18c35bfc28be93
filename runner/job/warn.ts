/** Notes for people beside a job's result. A job can give reason to many, and each is kept until the server has the result. */
import { textUpTo } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import { maxWarnings } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { JobRecord } from "../state/job-record.ts";

const warning = textUpTo(500);

/** Kept up to as many as a server shows. */
export function warn({ warnings }: Pick<JobRecord, "warnings">, text: string): void {
  if (warnings.length < maxWarnings) warnings.push(warning.parse(text));
}
