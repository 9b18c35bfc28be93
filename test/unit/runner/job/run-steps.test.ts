import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { RunningStep, StepExit } from "@forgeline/runner/engine/engine.ts";
import type { PreparedJob } from "@forgeline/runner/job/job-context.ts";
import { JobStop, type StopRequest } from "@forgeline/runner/job/job-stop.ts";
import { runSteps } from "@forgeline/runner/job/run-steps.ts";
import { buildLease, buildStep } from "../../../support/lease-spec.ts";

const cancel: StopRequest = {
  status: "cancelled",
  reason: "user:ada",
  message: "Cancelled.",
  graceMs: 1_000,
  force: false,
};
const always: PlanStep["when"] = [{ status: "always", text: "status: always" }];

/** A job whose steps end at TERM, or a little later by themselves; those that run "ends" have ended already. */
function jobOf(steps: PlanStep[], on: { started?: (stop: JobStop) => void; planted?: string[] } = {}) {
  const stop = new JobStop();
  const spec = buildLease({ attemptId: "att_1", steps });
  const stepOf = (position: number): RunningStep => {
    const { promise, resolve } = Promise.withResolvers<StepExit>();
    const end = () => resolve({ kind: "exited", code: 0 });
    if (steps[position]?.run === "ends") end();
    else setTimeout(end, 20);
    return {
      position,
      outputFile: "/nowhere",
      ciOutputFile: "/nowhere",
      planted: on.planted ?? [],
      wait: () => promise,
      kill: async () => resolve({ kind: "exited", code: 143 }),
    };
  };
  const job = {
    spec,
    stop,
    record: { steps: [], stepOutputs: {}, runningStep: null, warnings: [] },
    logs: { stream: () => undefined, end: async () => undefined },
    environment: {
      reattachStep: async (position: number) => stepOf(position),
      async runStep({ position }: { position: number }) {
        on.started?.(stop);
        return stepOf(position);
      },
    },
    reports: { stepStarted: () => undefined, stepEnded: () => undefined },
    settings: { caFile: null },
    save: async () => undefined,
  } as unknown as PreparedJob;
  const run = async (resumed = false) => {
    await runSteps(job, resumed);
    stop.dispose();
    return job.record.steps.map(({ status, reason }) => [status, reason]);
  };
  return { stop, job, run };
}

const cancelled = ["cancelled", "user:ada"];

test("a step is stopped by what comes while it starts", async () => {
  const { run } = jobOf([buildStep(0, "sleeps"), buildStep(1, "sleeps")], {
    started: (stop) => stop.ask(cancel),
  });
  expect(await run()).toEqual([cancelled, cancelled]);
});

test("a step that is taken up again is stopped by what came before it was", async () => {
  const { stop, job, run } = jobOf([buildStep(0, "sleeps")]);
  job.record.runningStep = { position: 0, startedAtMs: Date.now() };
  stop.ask(cancel);
  expect(await run(true)).toEqual([cancelled]);
});

test("the time that a step had run counts when it is taken up again", async () => {
  const { job, run } = jobOf([{ ...buildStep(0, "sleeps"), timeoutMs: 300_000 }]);
  job.record.runningStep = { position: 0, startedAtMs: Date.now() - 300_001 };
  expect(await run(true)).toEqual([["failed", "timeout"]]);
});

test("a step is started when it is written down that it is, and not before", async () => {
  let begun = 0;
  const { job, run } = jobOf([buildStep(0, "ends")], { started: () => (begun += 1) });
  const written = Promise.withResolvers<void>();
  job.save = () => {
    expect(job.record.runningStep ?? job.record.steps[0]).toMatchObject({ position: 0 });
    return written.promise;
  };
  const running = run();
  await setImmediate();
  expect(begun).toBe(0);
  written.resolve();
  expect(await running).toEqual([["success", null]]);
  expect(begun).toBe(1);
});

test("a stop leaves those steps to run to their end that run always", async () => {
  const { stop, run } = jobOf([buildStep(0, "sleeps"), buildStep(1, "ends", { when: always })]);
  stop.ask(cancel);
  expect(await run()).toEqual([cancelled, ["success", null]]);
});

test("a step that asks for a failure runs after a limit has stopped the job, and is not stopped by that", async () => {
  const when: PlanStep["when"] = [{ status: "failure", text: "status: failure" }];
  const { stop, run } = jobOf([buildStep(0, "ends", { when })]);
  stop.ask({ ...cancel, status: "failed", reason: "timeout" });
  expect(await run()).toEqual([["success", null]]);
});

test("files that were planted before a step began are a warning of the attempt", async () => {
  const { job, run } = jobOf([buildStep(0, "ends")], { planted: ["step-0.ci", "step-0.summary"] });
  expect(await run()).toEqual([["success", null]]);
  expect(job.record.warnings).toEqual([
    "Before step 1 started, something in the job had already created its files (step-0.ci, step-0.summary); they were moved aside.",
  ]);
});
