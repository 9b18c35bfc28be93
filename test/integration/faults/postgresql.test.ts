/** PostgreSQL is killed while a pipeline prints: nothing is lost, and every process finds back by itself. */
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
  verdictsOf,
} from "../../support/instance-run.ts";
import type { RunningBed } from "../../support/bed.ts";
import { startOwnBed } from "../../support/own-bed.ts";
import { steadyRequests } from "../../support/steady-requests.ts";

let bed: RunningBed;
let instance: TestInstance;
beforeAll(async () => {
  bed = await startOwnBed();
  instance = await startTestInstance({ servers: 2 });
});
afterAll(async () => {
  await instance?.stop();
  await bed?.stop();
});

const jobs = [
  { id: 1, stage: "first", count: 6000, perPause: 100 },
  { id: 2, stage: "second", count: 6000, perPause: 100 },
  { id: 3, stage: "third", count: 50, perPause: 50 },
];

it("costs a run nothing but time", async () => {
  const pids = processes().map((program) => program.pid());
  const run = await pushRun(instance, numberedPipeline(jobs));
  const requests = steadyRequests(instance, { path: "/user", clients: 2 });
  await eventually(async () => (await logLength(run, "lines-1")) > 5000, { timeoutMs: 30_000 });
  const viewer = await run.watch("?job=lines-2&step=0", instance.servers[1]?.url);
  await bed.kill("postgresql");
  await eventually(async () => (await logLength(run, "lines-2")) > 5000, { timeoutMs: 60_000 });
  await bed.kill("postgresql");
  const finished = await run.is("success");
  const answers = await requests.stop();
  const { found, faultless } = await verdictsOf(run, jobs);
  expect(found).toEqual(faultless);
  expect(attemptsOf(finished)).toEqual({ "lines-1": 1, "lines-2": 1, "lines-3": 1 });
  // What could not be answered was said to come again, and never was an error of ours.
  expect(Object.keys(answers).toSorted()).toEqual(["200", "503"]);
  await viewer.closed;
  const stream = viewer.messages.find((message) => message.t === "stream");
  expect(viewer.text(stream?.stream_id ?? "").toString()).toBe(await run.log("lines-2"));
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
