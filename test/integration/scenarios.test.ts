/**
 * What pipeline files mean, from push to result, on a whole instance. Each directory of `test/scenarios` is a case:
 * `pipeline.yml` and `expected.json` (`test/support/scenario.ts` has its form). A new case needs no code. `npm test -- --changed`
 * names the cases that have changed, and these alone are played. At full size, a collector of OpenTelemetry gets the traces of all runs.
 */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Dockerode from "dockerode";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { makeCollector, type Collector } from "../support/otlp/collector.ts";
import { attributesOf, expectTraces, tracesOf, type TracedRun } from "../support/otlp/expect-traces.ts";
import { playScenario } from "../support/run-scenario.ts";
import { Scenario } from "../support/scenario.ts";
import { startTestInstance, type TestInstance } from "../support/instance.ts";
import { isFull } from "../support/size.ts";
import { importTestImage } from "../support/test-image.ts";
import { createGitClient, type GitClient } from "./git/git-client.ts";

const directory = join(import.meta.dirname, "../scenarios");
const only = process.env["FORGELINE_TEST_SCENARIOS"]?.split(",");
const names = readdirSync(directory, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .filter((name) => only?.includes(name) ?? true);
/** Where this machine has Git's programs. */
const gitPath = execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim();
const images = [
  { name: "scenario/sh:1" },
  { name: "scenario/bash:1", programs: [{ path: "/bin/bash", as: ["bash"] }] },
  {
    name: "scenario/git:1",
    programs: ["git", "git-remote-https"].map((name) => ({ path: join(gitPath, name), as: [name] })),
    changes: ["ENV GIT_EXEC_PATH=/bin"],
  },
  { name: "scenario/builder:1", changes: ["USER 1000:1000"] },
];
/** Runners beside the main one, each for the cases that ask for its labels. They come while others run. */
const special = {
  "lost-again": ["lost=again"],
  "lost-never": ["lost=never"],
  drain: ["drain=me", "gpu=a100"],
};

vi.setConfig({ maxConcurrency: 8, testTimeout: 110_000 });
let instance: TestInstance;
let git: GitClient;
let added: Promise<unknown> | undefined;
const docker = new Dockerode();
/** It ran before, is away while the first runs end, and then comes back. */
let collector: Collector | undefined;
let returning: Promise<void> | undefined;

beforeAll(async () => {
  if (isFull) {
    collector = await makeCollector();
    await collector.start();
    await collector.stop();
  }
  for (const image of images) await importTestImage(docker, image);
  instance = await startTestInstance({
    runners: 0,
    env: {
      FORGELINE_HEARTBEAT_MS: "1000",
      ...(collector && { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }),
    },
  });
  returning = collector && comeBack(collector);
  git = await createGitClient(instance.certificates.caFile);
  await instance.addRunner("main", { capacity: 4, labels: ["os=linux", "pool=main"] });
  added = Promise.all(
    Object.entries(special).map(([name, labels]) => instance.addRunner(name, { capacity: 1, labels })),
  );
});
afterAll(async () => {
  await added;
  await git?.remove();
  await instance?.stop();
  await collector?.remove();
  await Promise.all(images.map(({ name }) => docker.getImage(name).remove({ force: true })));
});

describe.concurrent("a pipeline file", () => {
  it.for(names)("%s", async (name) => {
    const [file, expected] = await Promise.all(
      ["pipeline.yml", "expected.json"].map((part) => readFile(join(directory, name, part), "utf8")),
    );
    const scenario = Scenario.parse(JSON.parse(expected ?? ""));
    await playScenario({ instance, git }, name, scenario, file ?? "");
  });
});

/** A metric of the worker, which sends traces: of all labels that contain `part` together. */
async function metric(name: string, part = ""): Promise<number> {
  const text = await (await fetch(`${instance.workerMetricsUrl}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(name) && line.includes(part));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

async function comeBack(away: Collector): Promise<void> {
  await eventually(async () => (await metric("forgeline_run_trace_failures_total")) >= 2, {
    timeoutMs: 100_000,
  });
  await away.start();
}

async function endedRuns(): Promise<TracedRun[]> {
  const of = names.map((name) => `/repos/${instance.adminName}/${name}/pipelines`);
  const runs: TracedRun[] = [];
  for (const path of of)
    for (const { number } of await instance.api<{ number: number }[]>("GET", path))
      runs.push(await instance.api<TracedRun>("GET", `${path}/${number}`));
  return runs;
}

/** One more run, which begins others, in a repository with a webhook. */
async function rerunWithWebhook(path: string): Promise<void> {
  // Nobody is there: a delivery that waits is one too.
  await instance.api("POST", `${path}/webhooks`, { url: "https://hook.invalid/", events: ["pipeline"] });
  const runs = await instance.api<{ number: number; pipeline: string }[]>("GET", `${path}/pipelines`);
  const main = runs.find(({ pipeline }) => pipeline === ".forgeline/main.yml");
  await instance.api("POST", `${path}/pipelines/${main?.number}/rerun`, { from: "all" });
  await eventually(
    async () =>
      (await instance.api<{ finished_at: string | null }>("GET", `${path}/pipelines/${main?.number}`))
        .finished_at !== null,
    { timeoutMs: 100_000 },
  );
}

it.runIf(isFull)("a collector of OpenTelemetry has the trace of each run", { timeout: 400_000 }, async () => {
  if (!collector) throw new Error("there is no collector");
  const here = collector;
  const hasTriggers = names.includes("trigger");
  if (hasTriggers) await rerunWithWebhook(`/repos/${instance.adminName}/trigger`);
  await returning;
  const runs = await endedRuns();
  // What had failed is sent again after twice as long each time.
  await eventually(
    async () => {
      expectTraces(tracesOf(await here.spans()), runs);
      return true;
    },
    { timeoutMs: 300_000, intervalMs: 2_000 },
  );
  expect(await metric("forgeline_run_traces_waiting")).toBe(0);
  expect(await metric("forgeline_run_traces_total", "refused")).toBe(0);
  const links = (await here.spans()).flatMap((span) => span.links ?? []).map(attributesOf);
  const wanted = hasTriggers ? ["rerun_of", "started", "started_by", "webhook_delivery"] : [];
  expect(links.map((link) => link["forgeline.link"])).toEqual(expect.arrayContaining(wanted));
});
