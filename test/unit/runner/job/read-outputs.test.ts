import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunningStep } from "@forgeline/runner/engine/engine.ts";
import { jobOutputs, readStepOutputs } from "@forgeline/runner/job/read-outputs.ts";
import type { JobRecord } from "@forgeline/runner/state/job-record.ts";
import { buildLease, buildStep } from "../../../support/lease-spec.ts";

const token = "svc_job_abcdef0123456789";

function jobOf(outputs: Record<string, string>, stepOutputs: JobRecord["stepOutputs"], outputBytes: number) {
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
    stepOutputs,
    runningSteps: [],
    streams: {},
    warnings: [],
    result: null,
  };
  return { job: { spec, record }, record };
}

/** The outputs of a job whose step `s` has written `written`, and what it was warned of. */
function outputsOf(outputs: Record<string, string>, written: Record<string, string>, outputBytes = 1000) {
  const { job, record } = jobOf(outputs, { s: written }, outputBytes);
  return { outputs: jobOutputs(job), warnings: record.warnings };
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
  // As JSON: ten letters of two bytes each with quotes, a name with quotes, a colon and braces, twice.
  const written = { a: "ä".repeat(10) };
  expect(outputsOf(outputs, written, 60)).toEqual({
    outputs: { one: written.a, two: written.a },
    warnings: [],
  });
  expect(outputsOf(outputs, written, 59)).toEqual({
    outputs: {},
    warnings: ["The job's outputs are larger than 59 bytes as JSON; none were kept."],
  });
  // A control character is six bytes of JSON.
  expect(outputsOf(outputs, { a: "\u0001".repeat(4) }, 67).outputs).toEqual({});
  expect(outputsOf(outputs, { a: "\u0001".repeat(4) }, 68).warnings).toEqual([]);
});

test("steps together may give what the job may; the one that is too much is left out whole", async () => {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-outputs-"));
  const { job, record } = jobOf({}, {}, 100);
  const gives = async (id: string, text: string) => {
    const ciOutputFile = join(directory, id);
    await writeFile(ciOutputFile, text);
    await readStepOutputs(job, buildStep(0, "true", { id }), { ciOutputFile } as RunningStep);
  };
  await gives("a", `k=${"x".repeat(50)}\n`);
  await gives("b", `k=${"x".repeat(50)}\n`);
  await gives("c", "k=small\n");
  await rm(directory, { recursive: true });
  expect(Object.keys(record.stepOutputs)).toEqual(["a", "c"]);
  expect(record.warnings).toEqual([expect.stringMatching(/^Step 1, \$CI_OUTPUT: .* at most 100 are kept/)]);
});

test("a step is told where the runner may not read what it left; a file that it removed is no news", async () => {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-outputs-"));
  const { job, record } = jobOf({}, {}, 100);
  for (const ciOutputFile of [join(directory, "absent"), directory])
    await readStepOutputs(job, buildStep(0, "true", { id: "a" }), { ciOutputFile } as RunningStep);
  await rm(directory, { recursive: true });
  expect(record.stepOutputs).toEqual({});
  expect(record.warnings).toEqual([
    "Step 1, $CI_OUTPUT: what the step left there is no file that the runner may read, so no output.",
  ]);
});

test("warnings are as many as are shown", () => {
  const outputs = Object.fromEntries(
    Array.from({ length: 600 }, (_, i) => [`o${i}`, "${{ toJson(steps) + 1 }}"]),
  );
  expect(outputsOf(outputs, {}).warnings).toHaveLength(500);
});
