/**
 * What pipeline files mean, from push to result, on a whole instance. Each directory of `test/scenarios` is a case:
 * `pipeline.yml` and `expected.json` (`test/support/scenario.ts` has its form). A new case needs no code. `npm test -- --changed`
 * names the cases that have changed, and these alone are played.
 */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Dockerode from "dockerode";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { playScenario } from "../support/run-scenario.ts";
import { Scenario } from "../support/scenario.ts";
import { startTestInstance, type TestInstance } from "../support/instance.ts";
import { importTestImage } from "../support/test-image.ts";
import { createGitClient, type GitClient } from "./git/git-client.ts";

const directory = join(import.meta.dirname, "../scenarios");
const only = process.env["FORGELINE_TEST_SCENARIOS"]?.split(",");
const names = readdirSync(directory, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .filter((name) => only?.includes(name) ?? true);
const images = [
  { name: "scenario/sh:1" },
  { name: "scenario/bash:1", programs: [{ path: "/bin/bash", as: ["bash"] }] },
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

beforeAll(async () => {
  for (const image of images) await importTestImage(docker, image);
  instance = await startTestInstance({
    runners: 0,
    env: { FORGELINE_HEARTBEAT_MS: "1000" },
  });
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
