/** What became of the runs and jobs that rules require. Pipelines know; hosting only asks. */
import type { RequiredCheck } from "@forgeline/schemas/branch-protections/required-checks.ts";

export type CheckWanted = RequiredCheck;

/** `missing`: there was never one for the commit. */
export type CheckState = "passed" | "skipped" | "failed" | "running" | "missing";

export interface CheckOutcome {
  check: CheckWanted;
  state: CheckState;
  /** Of the newest run of the file for the commit. */
  run: { id: string; number: number } | null;
}

/** One that was skipped has nothing against the commit. */
export function isPassed({ state }: Pick<CheckOutcome, "state">): boolean {
  return state === "passed" || state === "skipped";
}

/** As people write it: `.forgeline.yml`, or `.forgeline.yml#test`. */
export function nameOfCheck({ pipeline, job }: CheckWanted): string {
  return job === undefined ? pipeline : `${pipeline}#${job}`;
}

/** Each once, in order. */
export function distinctChecks(rules: readonly { required_checks: readonly CheckWanted[] }[]): CheckWanted[] {
  const all = rules.flatMap((rule) => rule.required_checks);
  return [...new Map(all.map((check) => [JSON.stringify([check.pipeline, check.job]), check])).values()];
}
