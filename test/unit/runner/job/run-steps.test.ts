import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { RunningStep, StepCommand, StepExit } from "@forgeline/runner/engine/engine.ts";
import type { PreparedJob } from "@forgeline/runner/job/job-context.ts";
import { JobStop, type StopRequest } from "@forgeline/runner/job/job-stop.ts";
import { decidingStep, runSteps } from "@forgeline/runner/job/run-steps.ts";
import { eventually } from "../../../support/eventually.ts";
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
function jobOf(
  steps: PlanStep[],
  on: {
    started?: (stop: JobStop, step: Pick<StepCommand, "position" | "env">) => void;
    planted?: string[];
    exits?: Readonly<Record<number, Promise<number>>>;
  } = {},
) {
  const stop = new JobStop();
  const spec = buildLease({ attemptId: "att_1", steps });
  const stepOf = (position: number): RunningStep => {
    const { promise, resolve } = Promise.withResolvers<StepExit>();
    const end = () => resolve({ kind: "exited", code: 0 });
    const exit = on.exits?.[position];
    if (exit) void exit.then((code) => resolve({ kind: "exited", code }));
    else if (steps[position]?.run === "ends") end();
    else setTimeout(end, 20);
    return {
      position,
      outputFile: "/nowhere",
      ciOutputFile: "/nowhere",
      summaryFile: "/nowhere",
      annotationsFile: "/nowhere",
      planted: on.planted ?? [],
      wait: () => promise,
      kill: async () => resolve({ kind: "exited", code: 143 }),
    };
  };
  const job = {
    spec,
    stop,
    record: { steps: [], stepOutputs: {}, runningSteps: [], warnings: [] },
    logs: { stream: () => undefined, end: async () => undefined },
    environment: {
      reattachStep: async (position: number) => stepOf(position),
      async runStep({ position, env }: StepCommand) {
        on.started?.(stop, { position, env });
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
  job.record.runningSteps = [{ position: 0, startedAtMs: Date.now() }];
  stop.ask(cancel);
  expect(await run(true)).toEqual([cancelled]);
});

test("the time that a step had run counts when it is taken up again", async () => {
  const { job, run } = jobOf([{ ...buildStep(0, "sleeps"), timeoutMs: 300_000 }]);
  job.record.runningSteps = [{ position: 0, startedAtMs: Date.now() - 300_001 }];
  expect(await run(true)).toEqual([["failed", "timeout"]]);
});

test("a step is started when it is written down that it is, and not before", async () => {
  let begun = 0;
  const { job, run } = jobOf([buildStep(0, "ends")], { started: () => (begun += 1) });
  const written = Promise.withResolvers<void>();
  job.save = () => {
    expect(job.record.runningSteps[0] ?? job.record.steps[0]).toMatchObject({ position: 0 });
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
  const seen: unknown[] = [];
  const { stop, run } = jobOf([buildStep(0, "sleeps"), buildStep(1, "ends", { when: always })], {
    started: (_, { env }) => void seen.push(env["CI_JOB_STATUS"]),
  });
  stop.ask(cancel);
  expect(await run()).toEqual([cancelled, ["success", null]]);
  expect(seen).toEqual(["cancelled"]);
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

/** Steps 1 and 2 run at the same time, between steps 0 and 3. */
const together = (over: Partial<PlanStep>[] = []) =>
  [0, 1, 2, 3].map((position) =>
    buildStep(position, "ends", {
      id: `s${position}`,
      parallel: position === 1 || position === 2 ? 1 : null,
      ...over[position],
    }),
  );

test("steps of a group have all begun before one of them ends, and the next step waits for all", async () => {
  const begun: number[] = [];
  const first = Promise.withResolvers<number>();
  const second = Promise.withResolvers<number>();
  const { job, run } = jobOf(together(), {
    started: (_, { position }) => void begun.push(position),
    exits: { 1: first.promise, 2: second.promise },
  });
  const running = run();
  await eventually(() => begun.length === 3);
  expect(job.record.runningSteps.map(({ position }) => position)).toEqual([1, 2]);
  second.resolve(0);
  await eventually(() => job.record.steps.length === 2);
  expect(job.record.runningSteps.map(({ position }) => position)).toEqual([1]);
  expect(begun).toEqual([0, 1, 2]);
  first.resolve(0);
  await running;
  expect(begun).toEqual([0, 1, 2, 3]);
});

test("of those that failed at the same time the first of the file decides, and those after it see the failure", async () => {
  const late = Promise.withResolvers<number>();
  const { job, run } = jobOf(together(), { exits: { 1: late.promise, 2: Promise.resolve(4) } });
  const running = run();
  await eventually(() => job.record.steps.length === 2);
  late.resolve(3);
  await running;
  expect(job.record.steps.map(({ position, reason }) => [position, reason])).toEqual([
    [0, null],
    [2, "exit:4"],
    [1, "exit:3"],
    [3, "when:status: success"],
  ]);
  expect(decidingStep(job)).toMatchObject({ position: 1, reason: "exit:3" });
  expect(decidingStep(job, 1)).toBeNull();
});

test("steps of a group see what there was before it, also when they are begun after a restart", async () => {
  const seen: Record<number, string | undefined> = {};
  const see = { S: "${{ steps.s1.result }}", B: "${{ steps.s0.result }}" };
  const steps = together([
    {},
    {},
    { env: see, when: [{ status: "success", text: "" }] },
    { env: see, when: always },
  ]);
  const { job, run } = jobOf(steps, {
    started: (_, { position, env }) =>
      void (seen[position] = `${env["B"]},${env["S"]},${env["CI_JOB_STATUS"]}`),
  });
  const ended = { reason: "exit:1", message: null, exitCode: 1, startedAtMs: 1, finishedAtMs: 2 };
  job.record.steps = [
    { position: 0, status: "success", ...ended },
    { position: 1, status: "failed", ...ended },
  ];
  job.environment.reattachStep = async () => null;
  await run(true);
  expect(seen).toEqual({ 2: "success,,success", 3: "success,failed,failed" });
});

test("all steps of a group are taken up again after a restart", async () => {
  const { job, run } = jobOf(together());
  const started = Date.now() - 5_000;
  job.record.runningSteps = [
    { position: 2, startedAtMs: started },
    { position: 1, startedAtMs: started },
  ];
  job.record.steps = [
    {
      position: 0,
      status: "success",
      reason: null,
      message: null,
      exitCode: 0,
      startedAtMs: 1,
      finishedAtMs: 2,
    },
  ];
  const taken: number[] = [];
  const { reattachStep, runStep } = job.environment;
  job.environment.reattachStep = (position) => {
    taken.push(position);
    return position === 3 ? Promise.resolve(null) : reattachStep(position);
  };
  const begun: number[] = [];
  job.environment.runStep = (command, signal) => {
    begun.push(command.position);
    return runStep(command, signal);
  };
  await run(true);
  expect({ taken, begun }).toEqual({ taken: [1, 2, 3], begun: [3] });
  const since = job.record.steps.filter(({ startedAtMs }) => startedAtMs === started);
  expect(since.map(({ position }) => position).toSorted((a, b) => a - b)).toEqual([1, 2]);
});

test("a stop ends all steps of a group", async () => {
  const { stop, job, run } = jobOf(together([{}, { run: "sleeps" }, { run: "sleeps" }]), {
    exits: { 1: new Promise(() => undefined), 2: new Promise(() => undefined) },
  });
  const running = run();
  await eventually(() => job.record.runningSteps.length === 2);
  stop.ask(cancel);
  expect(await running).toEqual([["success", null], cancelled, cancelled, cancelled]);
});

test("what goes wrong on the runner with one step is told when those beside it have ended", async () => {
  const other = Promise.withResolvers<number>();
  const { job, run } = jobOf(together(), { exits: { 2: other.promise } });
  const { runStep } = job.environment;
  job.environment.runStep = (command, signal) =>
    command.position === 1 ? Promise.reject(new Error("no image")) : runStep(command, signal);
  let isOver = false;
  const running = run().finally(() => (isOver = true));
  await eventually(() => job.record.runningSteps.length === 2);
  await setImmediate();
  expect(isOver).toBe(false);
  other.resolve(0);
  await expect(running).rejects.toThrow("no image");
  expect(job.record.steps.map(({ position }) => position)).toEqual([0, 2]);
});
