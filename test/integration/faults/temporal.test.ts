/** Temporal is killed while a pipeline prints: what runs goes on, what is asked for waits, nothing is lost. */
import { afterAll, beforeAll, expect, it } from "vitest";
import Dockerode from "dockerode";
import { eventually } from "../../support/eventually.ts";
import { startTestInstance, type TestInstance } from "../../support/instance.ts";
import {
  attemptsOf,
  leftovers,
  logLength,
  numberedPipeline,
  pushRun,
  runnerId,
  triggerRun,
  verdictsOf,
} from "../../support/instance-run.ts";
import type { RunningBed } from "../../support/bed.ts";
import { startOwnBed } from "../../support/own-bed.ts";
import { steadyRequests } from "../../support/steady-requests.ts";

let bed: RunningBed;
let instance: TestInstance;
beforeAll(async () => {
  bed = await startOwnBed();
  instance = await startTestInstance();
});
afterAll(async () => {
  await instance?.stop();
  await bed?.stop();
});

const jobs = [
  { id: 1, stage: "first", count: 4000, perPause: 100 },
  { id: 2, stage: "second", count: 500, perPause: 100 },
];

it("costs a run nothing but time", async () => {
  const pids = processes().map((program) => program.pid());
  const run = await pushRun(instance, numberedPipeline(jobs));
  const requests = steadyRequests(instance, { path: "/user", clients: 2 });
  await eventually(async () => (await logLength(run, "lines-1")) > 5000, { timeoutMs: 30_000 });
  await bed.kill("temporal");
  const asked = await triggerRun(instance, run);
  const finished = [await run.is("success"), await asked.is("success")];
  const answers = await requests.stop();
  for (const each of [run, asked]) {
    const { found, faultless } = await verdictsOf(each, jobs);
    expect(found).toEqual(faultless);
  }
  for (const each of finished) expect(attemptsOf(each)).toEqual({ "lines-1": 1, "lines-2": 1 });
  expect(Object.keys(answers)).toEqual(["200"]);
  expect(processes().map((program) => program.pid())).toEqual(pids);
  expect(processes().every((program) => program.isRunning())).toBe(true);
});

it("leaves nothing behind in Docker", async () => {
  const [runner] = instance.runners;
  expect(await runner?.program.end("SIGTERM")).toBe(0);
  expect(await leftovers(new Dockerode(), runner ? await runnerId(runner) : "")).toEqual([]);
});

function processes() {
  return [...instance.servers, ...instance.runners]
    .map(({ program }) => program)
    .concat(instance.worker ?? []);
}
