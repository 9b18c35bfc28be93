/** The Docker daemon is killed and comes back while a pipeline prints: containers live on, and so does the run. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { startOwnDockerBed } from "../../support/own-bed.ts";
import type { OwnDocker } from "../../support/own-docker.ts";

let own: OwnDocker;
let bed: FaultBed;
beforeAll(async () => {
  own = await startOwnDockerBed();
  bed = await openFaultBed({ env: { FORGELINE_RUNNER_DOCKER_HOST: own.host } });
});
afterAll(async () => {
  try {
    await bed?.closeEmpty();
  } finally {
    await own?.close();
  }
});

it(
  "costs a run nothing: steps print on without it, the next stage waits for it",
  { timeout: 150_000 },
  async () => {
    const run = await bed.begin({ file: "stages", count: 1500, perPause: 50, seen: 200 });
    await own.kill();
    // Both jobs of the first stage end while there is no daemon.
    for (const job of ["left", "right"])
      await eventually(async () => (await bed.linesSeen(run, job)) >= 1500, { timeoutMs: 40_000 });
    await own.start();
    expect((await bed.judge(run)).problems).toEqual([]);
  },
);

it("that is restarted in an orderly way leaves containers alive, too", { timeout: 150_000 }, async () => {
  const run = await bed.begin({ file: "own-image", count: 1500, perPause: 50, seen: 200 });
  await own.restart();
  expect((await bed.judge(run)).problems).toEqual([]);
});

it("that is away when a job begins delays it", { timeout: 150_000 }, async () => {
  await own.kill();
  const run = await bed.repository.begin({ count: 200, perPause: 50 });
  await eventually(async () => (await bed.repository.get(run)).stages[0]?.jobs[0]?.attempts[0]?.runner, {
    timeoutMs: 40_000,
  });
  await own.start();
  expect((await bed.judge(run)).problems).toEqual([]);
});
