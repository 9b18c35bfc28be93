import { expect, test } from "vitest";
import { jobOutputs } from "@forgeline/runner/job/read-outputs.ts";
import type { JobRecord } from "@forgeline/runner/state/job-record.ts";
import { buildLease, buildStep } from "../../../support/lease-spec.ts";

const token = "svc_job_abcdef0123456789";

/** The outputs of a job whose step `s` has written `written`, and what it was warned of. */
function outputsOf(outputs: Record<string, string>, written: Record<string, string>, outputBytes = 1000) {
  const steps = [buildStep(0, "true", { id: "s" })];
  const spec = buildLease({ attemptId: "att_1", steps, token, job: { outputs }, limits: { outputBytes } });
  const record: JobRecord = {
    attemptId: spec.attemptId,
    epoch: 1,
    state: "running",
    startedAtMs: 0,
    handle: null,
    prepared: true,
    steps: [],
    stepOutputs: { s: written },
    runningStep: null,
    streams: {},
    warnings: [],
    result: null,
  };
  return { outputs: jobOutputs({ spec, record }), warnings: record.warnings };
}

test("the token does not leave the job in parts that only its outputs join", () => {
  const joined = {
    whole: "${{ steps.s.outputs.a }}${{ steps.s.outputs.b }}",
    half: "${{ steps.s.outputs.a }}",
  };
  for (const secret of [token, Buffer.from(token).toString("base64")]) {
    const written = { a: secret.slice(0, 12), b: secret.slice(12) };
    expect(outputsOf(joined, written)).toEqual({
      outputs: { half: secret.slice(0, 12) },
      warnings: ["Outputs: the value of whole contains a secret and was dropped."],
    });
  }
});

test("outputs that are too much in all are none; up to the limit they are kept", () => {
  const outputs = { one: "${{ steps.s.outputs.a }}", two: "${{ steps.s.outputs.a }}" };
  // Ten letters of two bytes each, twice.
  const written = { a: "ä".repeat(10) };
  expect(outputsOf(outputs, written, 40)).toEqual({
    outputs: { one: written.a, two: written.a },
    warnings: [],
  });
  expect(outputsOf(outputs, written, 39)).toEqual({
    outputs: {},
    warnings: ["The job's outputs are 40 bytes, which is too much; none was kept."],
  });
});
