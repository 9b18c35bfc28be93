/** Times of schedules come while workers die: each has one run in the end. In each `npm test`: worker-points.test.ts. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { cutOffSchedules, scheduleOnInstance } from "../../support/instance-schedule.ts";
import { expectAllSurvive } from "../../support/survive-outage.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import type { Program } from "../../support/program.ts";
import { isFull } from "../../support/size.ts";

let instance: TestInstance;
let worker: Program;

beforeAll(async () => {
  instance = await startTestInstance({ runners: 0 });
  if (!instance.worker) throw new Error("no worker");
  worker = instance.worker;
});
afterAll(() => instance?.stop());
afterEach(() => {
  if (!worker.isRunning()) worker.start();
});

test.runIf(isFull)(
  "a worker that dies before the commit leaves a time that the next one makes one run of",
  async () => {
    const schedule = await scheduleOnInstance(instance);
    await worker.kill();
    worker.start({ FORGELINE_CRASH_AT: "schedule.run-before-committed" });
    await schedule.makeDue();
    await eventually(() => !worker.isRunning(), { timeoutMs: 60_000 });
    expect(await schedule.history()).toEqual([]);
    expect(await schedule.runs()).toEqual([]);
    worker.start();
    const came = await schedule.came(1);
    expect(came).toMatchObject([{ cause: "schedule", status: "started", missed: 0 }]);
    expect((await schedule.runs()).map(({ id }) => id)).toEqual([came[0]?.pipeline?.id]);
  },
  120_000,
);

test.runIf(isFull)(
  "what came while no worker ran is made up for",
  async () =>
    expectAllSurvive([await cutOffSchedules(instance)], async () => {
      await worker.kill();
      worker.start();
    }),
  120_000,
);
