import { ApplicationFailure } from "@temporalio/activity";
import type { Logger } from "@forgeline/server/platform/logger.ts";
import { temporalLogger } from "@forgeline/workflows/worker/temporal-logger.ts";
import { expect, test } from "vitest";

function logged(error: unknown): unknown {
  const lines: unknown[] = [];
  const logger = { warn: (members: object, message: string) => lines.push({ ...members, message }) };
  const meta = { error, workflowId: "pipeline:pipe_1:1", activityType: "startJobs", taskToken: "x" };
  temporalLogger(logger as unknown as Logger).warn("Activity failed", meta);
  return JSON.parse(JSON.stringify(lines[0]));
}

test("what failed, of which run and why, stands in one line", () => {
  const where = { workflow_id: "pipeline:pipe_1:1", activity: "startJobs" };
  const failure = ApplicationFailure.nonRetryable("index row is too large", "54000");
  const inTwoWords = { error: "54000: index row is too large", ...where };
  expect(logged(failure)).toEqual({ message: "Activity failed", temporal: inTwoWords });
  const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  expect(logged(refused)).toMatchObject({ temporal: { error: "ECONNREFUSED: refused" } });
  expect(logged(new Error("away"))).toMatchObject({ temporal: { error: "away" } });
});
