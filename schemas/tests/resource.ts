/** Tests that jobs report, as REST shows them. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { ReportingJob } from "../reports/resource.ts";

export const testStatuses = ["failed", "skipped", "passed"] as const;

const outcome = {
  status: z.enum(testStatuses),
  duration_ms: z.int().nullable(),
  message: z.string().nullable().describe("Of one that failed or was skipped."),
  details: z.string().nullable().describe("Stack and the like; of the first 500 failures of a job."),
};
const suite = z.string().describe("What it belongs to: its class or its suite; may be empty.");

export const RunTest = z
  .object({
    test: z.object({ id: idOf("test"), suite, name: z.string() }),
    job: ReportingJob,
    ...outcome,
    flaky: z.boolean().describe("It had both outcomes on one commit within the last 30 days."),
    quarantined: z.boolean(),
  })
  .meta({ id: "RunTest" });
export type RunTest = z.infer<typeof RunTest>;

export const Test = z
  .object({
    id: idOf("test"),
    suite,
    name: z.string(),
    results_count: z.int(),
    failures_count: z.int(),
    typical_duration_ms: z.int().nullable().describe("Later results count for more."),
    last_seen_at: timestamp,
    flaky: z
      .object({ at: timestamp, sha: z.string() })
      .nullable()
      .describe("When it last had both outcomes on one commit, within the last 30 days, and which commit."),
    quarantine: z
      .object({
        at: timestamp,
        by: z.string().nullable().describe("Name of the user; null if the account was deleted."),
        reason: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: "Test" });
export type Test = z.infer<typeof Test>;

export const TestResult = z
  .object({
    pipeline: z.object({ id: idOf("pipe"), number: z.int() }),
    job: ReportingJob,
    attempt: z.int().describe("Of the job."),
    sha: z.string(),
    ref: z.string(),
    ...outcome,
    at: timestamp,
  })
  .meta({ id: "TestResult" });
export type TestResult = z.infer<typeof TestResult>;
