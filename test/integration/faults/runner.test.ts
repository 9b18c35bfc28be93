/** Rows R1 and R5 of reliability.md, small: a runner that is killed or frozen; each step starts once an attempt. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CrashPoint } from "@forgeline/runner/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { runnerIsOnline } from "../../support/instance.ts";
import type { LinesFile } from "../../support/lines-pipeline.ts";
import type { Program } from "../../support/program.ts";

let bed: FaultBed;
const diesBySignal = async (program: Program) => {
  await eventually(() => !program.isRunning());
  expect(await program.exited(), "void: it did not die at the point").toBeNull();
};
beforeAll(async () => {
  // Without waiting containers, so that the points of making one are met by jobs.
  bed = await openFaultBed({
    env: {
      FORGELINE_HEARTBEAT_MS: "500",
      FORGELINE_UNREACHABLE_MS: "2000",
      FORGELINE_RECLAIM_MS: "8000",
      FORGELINE_RUNNER_POOL: "0",
    },
  });
});
afterEach(async () => {
  const { program, name } = bed.runner();
  if (!program.isRunning()) program.start();
  await runnerIsOnline(bed.instance.api, name);
});
afterAll(async () => expect(await bed?.close()).toEqual([]));

describe("a runner killed", () => {
  it("three times while a step prints: the step goes on, every line is there once", async () => {
    const run = await bed.begin({ count: 4000, perPause: 20 });
    for (let kill = 0; kill < 3; kill++) {
      const before = await bed.linesSeen(run);
      expect(before, "void: the step had ended").toBeLessThan(run.count);
      await bed.runner().program.kill();
      bed.runner().program.start();
      await eventually(async () => (await bed.linesSeen(run)) > before);
    }
    const judgement = await bed.judge(run);
    expect(judgement.problems).toEqual([]);
    expect(judgement.attempts).toBe(1);
  });
});

const points: readonly [CrashPoint, LinesFile][] = [
  ["lease.saved-before-ack", "single"],
  ["job-container.created-before-started", "single"],
  ["step-container.created-before-started", "own-image"],
  ["step.recorded-before-started", "single"],
  ["step.started-before-reported", "single"],
  ["step.exited-before-reported", "single"],
  ["result.saved-before-sent", "single"],
  ["result.taken-before-forgotten", "single"],
];
describe("a runner frozen past its lease", () => {
  it("finds its job given away when it thaws: nothing of it is taken, everything of it is removed", async () => {
    const { program, name } = bed.runner();
    const run = await bed.begin({ count: 400, perPause: 10 });
    program.signal("SIGSTOP");
    const second = await bed.instance.addRunner("second");
    const attempts = async () => (await bed.repository.get(run)).stages[0]!.jobs[0]!.attempts;
    await eventually(async () => (await attempts())[0]?.unreachable === true, { timeoutMs: 30_000 });
    await eventually(async () => (await attempts())[1]?.status === "running", { timeoutMs: 30_000 });
    expect((await attempts())[0]).toMatchObject({
      status: "error",
      reason: "runner_lost",
      log_complete: false,
    });
    // What the first attempt left is longer on its own disk than on the server: it has something to send.
    await eventually(() => bed.effects.of(run.id).some((effect) => effect.kind === "end"), {
      timeoutMs: 30_000,
    });
    const before = await bed.repository.log(run, "only", 1);
    program.signal("SIGCONT");
    await runnerIsOnline(bed.instance.api, name);
    const judgement = await bed.judge(run, { mayLose: 1 });
    expect(judgement.problems).toEqual([]);
    expect(judgement).toMatchObject({ attempts: 2, lost: 1 });
    expect(await bed.repository.log(run, "only", 1)).toEqual(before);
    const runners = (await attempts()).map((attempt) => attempt.runner?.name);
    expect(runners).toEqual([name, second.name]);
    await second.program.end("SIGTERM");
  });
});

describe("a runner killed at", () => {
  it.each(points)("%s (%s): it goes on, and the step was begun once", async (point, file) => {
    const { program } = bed.runner();
    await program.kill();
    program.start({ FORGELINE_CRASH_AT: point });
    const run = await bed.repository.begin({ file, count: 200, perPause: 100 });
    await diesBySignal(program);
    program.start();
    const judgement = await bed.judge(run);
    expect(judgement.problems).toEqual([]);
    expect(judgement.attempts).toBe(1);
  });
});
