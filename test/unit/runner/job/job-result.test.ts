import { expect, test } from "vitest";
import { runnerMessageBytes } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import type { StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import { jobResult } from "@forgeline/runner/job/job-result.ts";
import { infraStop } from "@forgeline/runner/job/job-stop.ts";
import { buildLease, buildStep } from "../../../support/lease-spec.ts";

type Job = Parameters<typeof jobResult>[0];

/** Of steps that ended so; the failure of those in `allowed` is allowed. */
function jobOf(statuses: readonly StepResult["status"][], allowed: readonly number[] = [], steps = 2): Job {
  const spec = buildLease({
    attemptId: "att_1",
    steps: Array.from({ length: steps }, (_, position) =>
      buildStep(position, "true", { allowFailure: allowed.includes(position) }),
    ),
  });
  const ended = { reason: null, message: null, exitCode: null, startedAtMs: 1, finishedAtMs: 2 };
  const results = statuses.map((status, position) => ({ position, status, ...ended }));
  return {
    spec,
    record: { steps: results, stepOutputs: {}, runningSteps: [], warnings: [] },
  } as unknown as Job;
}

const statusOf = (...given: Parameters<typeof jobOf>) => jobResult(jobOf(...given), null, null).status;

test("the first failure that is not allowed decides", () => {
  expect(statusOf(["success", "success"])).toBe("success");
  expect(statusOf(["failed", "success"])).toBe("failed");
  expect(statusOf(["failed", "success"], [0])).toBe("success");
  expect(statusOf(["failed", "failed"], [0])).toBe("failed");
});

test("an error decides also where failures are allowed", () => {
  expect(statusOf(["error", "success"], [0, 1])).toBe("error");
  expect(statusOf(["failed", "error"], [0, 1])).toBe("error");
});

test("the step that decided is named as people saw it", () => {
  const named = (name: string) => {
    const job = jobOf(["failed"]);
    job.spec.matrix = { os: "linux" };
    job.spec.job.steps = job.spec.job.steps.map((step) => ({ ...step, name }));
    return jobResult(job, null, null).message;
  };
  expect(named("test on ${{ matrix.os }}")).toBe('Step "test on linux": failed');
  expect(named("test on ${{ nothing.at.all }}")).toBe('Step "test on ${{ nothing.at.all }}": failed');
});

test("a stop decides before all else, and steps that were not reached say why", () => {
  const failure = { status: "error", reason: "clone", message: "Cloning failed", exitCode: null } as const;
  const stopped = jobResult(jobOf(["failed"]), failure, {
    ...infraStop(0, "The runner was stopped."),
    atMs: 5,
  });
  expect(stopped).toMatchObject({ status: "error", reason: "infra" });
  expect(stopped.steps[1]).toMatchObject({ status: "skipped", reason: "infra", startedAtMs: null });
  expect(jobResult(jobOf([]), failure, null)).toMatchObject(failure);
});

test("what had failed by itself is not cancelled because another combination of its matrix has failed", () => {
  const stop = { status: "cancelled", message: "", graceMs: 0, force: false } as const;
  const ends = (reason: string, atMs: number) =>
    jobResult(jobOf(["failed", "cancelled"]), null, { ...stop, reason, atMs }).status;
  expect([ends("fail_fast", 2), ends("fail_fast", 1), ends("user:ada", 2)]).toEqual([
    "failed",
    "cancelled",
    "cancelled",
  ]);
});

test("a result fits into one message, however long each of its parts is", () => {
  const job = jobOf(
    Array.from({ length: 100 }, () => "failed" as const),
    [],
    100,
  );
  const long = "\u0001".repeat(100_000);
  job.record.steps = job.record.steps.map((step) => ({ ...step, reason: long, message: long }));
  job.record.warnings = Array.from({ length: 600 }, () => long);
  const value = "x".repeat(1_000_000);
  job.spec.job.outputs = { o: value };
  const told = jobResult(job, null, null);
  expect(Buffer.byteLength(JSON.stringify(told))).toBeLessThan(runnerMessageBytes - 4_000);
  expect(told).toMatchObject({ status: "failed", outputs: { o: value } });
  expect(told.steps).toHaveLength(100);
});
