/**
 * Rows R4, R5 and R15 of reliability.md, small: runners that stay away past their lease, and come back or do not; what a killed one left
 * is removed at its next start, and nothing else is.
 */
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { runnerIsOnline, type TestRunner } from "../../support/instance.ts";
import type { LinesRun } from "../../support/lines-pipeline.ts";
import { leftovers, runnerId } from "../../support/instance-run.ts";
import { startUnrelatedContainers } from "../../support/unrelated-containers.ts";
import { silence } from "../../support/silence.ts";

let bed: FaultBed;
beforeAll(async () => {
  bed = await openFaultBed({
    runners: 2,
    env: { FORGELINE_HEARTBEAT_MS: "400" },
  });
});
afterEach(async () => {
  for (const { program, name } of bed.instance.runners) {
    if (!program.isRunning()) program.start();
    await runnerIsOnline(bed.instance.api, name);
  }
});
afterAll(() => bed?.closeEmpty());

const patience = { timeoutMs: 40_000 };
const attemptsOf = async (run: LinesRun) => (await bed.repository.get(run)).stages[0]!.jobs[0]!.attempts;

/** The runner that has the first attempt. */
async function holderOf(run: LinesRun): Promise<TestRunner> {
  const name = (await attemptsOf(run))[0]?.runner?.name;
  const holder = bed.instance.runners.find((runner) => runner.name === name);
  if (!holder) throw new Error(`no runner has the job: ${name}`);
  return holder;
}

async function expectMoved(run: LinesRun, from: TestRunner): Promise<void> {
  const judgement = await bed.judge(run, { mayLose: 1 });
  expect(judgement.problems).toEqual([]);
  expect(judgement).toMatchObject({ attempts: 2, lost: 1 });
  const [first, second] = await attemptsOf(run);
  expect(first).toMatchObject({ status: "error", reason: "runner_lost", log_complete: false });
  expect(first?.runner?.name).toBe(from.name);
  expect(second?.runner?.name).not.toBe(from.name);
}

describe("a runner frozen past its lease", () => {
  it("finds its job given away when it thaws: nothing of it is taken, everything of it is removed", async () => {
    const run = await bed.begin({ count: 600, perPause: 10 });
    const holder = await holderOf(run);
    holder.program.signal("SIGSTOP");
    await silence(bed.instance, run.id, "1 minute");
    expect((await attemptsOf(run))[0]).toMatchObject({ status: "running", unreachable: true });
    await silence(bed.instance, run.id, "1 hour");
    await eventually(async () => (await attemptsOf(run))[1]?.status === "running", patience);
    // By now the first attempt is over on the frozen machine: it has lines and a result to send.
    const ended = () => bed.effects.of(run.id).filter(({ kind }) => kind === "end");
    await eventually(() => ended().some(({ attempt }) => attempt === 1), patience);
    await eventually(async () => (await bed.repository.log(run, "only", 1)) !== null, patience);
    const before = await bed.repository.log(run, "only", 1);
    holder.program.signal("SIGCONT");
    await runnerIsOnline(bed.instance.api, holder.name);
    await expectMoved(run, holder);
    expect(await bed.repository.log(run, "only", 1)).toEqual(before);
  });
});

describe("a runner killed for longer than its lease", () => {
  it(
    "leaves what it had sent, shown as incomplete; the job runs again, and its own dead are removed, no strangers",
    { timeout: 150_000 },
    async () => {
      const strangers = await startUnrelatedContainers(bed.docker, `rnr_${randomBytes(8).toString("hex")}`);
      try {
        const run = await bed.begin({ count: 5000, perPause: 10 });
        const holder = await holderOf(run);
        const [first] = await attemptsOf(run);
        await holder.program.kill();
        await silence(bed.instance, run.id, "1 hour");
        await eventually(async () => (await attemptsOf(run))[1]?.status === "running", patience);
        const left = await bed.repository.log(run, "only", 1);
        expect(left?.text.startsWith("L 1 1 ")).toBe(true);
        expect(left?.complete).toBe(false);
        const own = await runnerId(holder);
        const dead = async () =>
          (await leftovers(bed.docker, own)).filter((name) => name.includes(first!.id));
        expect(await dead()).not.toEqual([]);
        holder.program.start();
        await eventually(async () => (await dead()).length === 0, { timeoutMs: 60_000 });
        expect(await strangers.untouched()).toBe(true);
        // The living of the other runner are strangers, too.
        const other = bed.instance.runners.find((runner) => runner !== holder)!;
        expect((await attemptsOf(run))[1]?.status, "void: it was over").toBe("running");
        expect(await leftovers(bed.docker, await runnerId(other))).not.toEqual([]);
        await expectMoved(run, holder);
      } finally {
        await strangers.remove();
      }
    },
  );

  it("keeps a job that must not run twice: it goes on when its runner is back", async () => {
    const run = await bed.begin({ file: "once", count: 600, perPause: 10 });
    const holder = await holderOf(run);
    await holder.program.kill();
    await silence(bed.instance, run.id, "1 hour");
    expect((await attemptsOf(run))[0]).toMatchObject({ status: "running", unreachable: true });
    // The step ends by itself.
    await eventually(() => bed.effects.of(run.id).some(({ kind }) => kind === "end"), patience);
    holder.program.start();
    const judgement = await bed.judge(run);
    expect(judgement.problems).toEqual([]);
    expect(judgement.attempts).toBe(1);
  });
});
