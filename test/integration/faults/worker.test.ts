/** Row R6 of reliability.md for the worker and the relay, small: whoever decides a run may die at any moment. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import type { Program } from "../../support/program.ts";
import { restore, sharedFaultBed, type SharedFaultBed } from "../../support/shared-fault-bed.ts";
import { isFull } from "../../support/size.ts";

let bed: SharedFaultBed;
let worker: Program;
beforeAll(async () => {
  bed = await sharedFaultBed();
  if (!bed.instance.worker) throw new Error("no worker");
  worker = bed.instance.worker;
});
afterEach(() => restore(bed));

describe("a worker killed", () => {
  it("while jobs run, and back only after they are over: the next stage runs, once", async () => {
    const run = await bed.begin({ file: "stages", count: 300, perPause: 20 });
    await worker.kill();
    const ended = () => bed.effects.of(run.id).filter((effect) => effect.kind === "end").length;
    await eventually(() => ended() === 2, { timeoutMs: 40_000 });
    expect((await bed.repository.get(run)).stages[1]?.started_at, "void: the worker had decided").toBeNull();
    worker.start();
    expect((await bed.judge(run)).problems).toEqual([]);
  });

  it.runIf(isFull)(
    "once it has started the next stage, and back only after that is over: its end counts",
    async () => {
      const run = await bed.begin({ file: "stages", count: 100, perPause: 20 });
      const effects = (kind: string, job?: string) =>
        bed.effects
          .of(run.id)
          .filter((effect) => effect.kind === kind && (job === undefined || effect.job === job));
      await worker.kill();
      const point: CrashPoint = "run.changed-before-answer";
      const started = () => {
        const hasBegun = effects("begin", "last").length > 0;
        if (!hasBegun && !worker.isRunning()) worker.start({ FORGELINE_CRASH_AT: point });
        return hasBegun;
      };
      await eventually(started, { timeoutMs: 90_000 });
      if (worker.isRunning()) await worker.kill();
      await eventually(() => effects("end").length === 3, { timeoutMs: 40_000 });
      worker.start();
      expect((await bed.judge(run)).problems).toEqual([]);
    },
    150_000,
  );

  it("after each change of a run, before Temporal has the answer: nothing is done twice", async () => {
    await worker.kill();
    const point: CrashPoint = "run.changed-before-answer";
    worker.start({ FORGELINE_CRASH_AT: point });
    const run = await bed.repository.begin({ file: "stages", count: 60, perPause: 20 });
    // One decision a life.
    for (let death = 0; death < 2; death++) {
      await eventually(() => !worker.isRunning(), { timeoutMs: 30_000 });
      expect(await worker.exited()).toBeNull();
      worker.start(death < 1 ? { FORGELINE_CRASH_AT: point } : {});
    }
    expect((await bed.judge(run)).problems).toEqual([]);
  });
});
