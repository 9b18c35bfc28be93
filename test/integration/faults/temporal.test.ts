/** Temporal is killed while a pipeline prints: what runs goes on, what is asked for waits, nothing is lost. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunningBed } from "../../support/bed.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { programsOf } from "../../support/instance.ts";
import { startOwnBed } from "../../support/own-bed.ts";
import { steadyRequests } from "../../support/steady-requests.ts";

let own: RunningBed;
let bed: FaultBed;
beforeAll(async () => {
  own = await startOwnBed();
  bed = await openFaultBed();
});
afterAll(async () => {
  try {
    await bed?.closeEmpty();
  } finally {
    await own?.stop();
  }
});

it("delays decisions and nothing else", { timeout: 150_000 }, async () => {
  const pids = programsOf(bed.instance).map((program) => program.pid());
  // Its first jobs end while Temporal is away, so their facts wait in the outbox.
  const run = await bed.begin({ file: "stages", count: 1000, perPause: 50, seen: 200 });
  const requests = steadyRequests(bed.instance, { path: "/user", clients: 2 });
  await own.kill("temporal");
  const asked = await bed.repository.begin({ count: 200, perPause: 50 });
  expect((await bed.judge(run)).problems).toEqual([]);
  expect((await bed.judge(asked)).problems).toEqual([]);
  expect(Object.keys(await requests.stop())).toEqual(["200"]);
  expect(programsOf(bed.instance).map((program) => program.isRunning() && program.pid())).toEqual(pids);
});
