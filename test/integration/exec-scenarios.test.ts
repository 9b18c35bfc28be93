/** A pipeline file means the same here and on a server: scenarios that need no server, run by `forgeline exec`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Dockerode from "dockerode";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { commandLine, type CommandLine } from "../support/command-line.ts";
import { playHere } from "../support/play-here.ts";
import { Scenario } from "../support/scenario.ts";
import { importTestImage } from "../support/test-image.ts";
import { createGitClient, type GitClient } from "./git/git-client.ts";
import { isFull } from "../support/size.ts";

const directory = join(import.meta.dirname, "../scenarios");
const only = process.env["FORGELINE_TEST_SCENARIOS"]?.split(",");
/** One for each part that `cli/exec/` has in place of the server's. */
const parts = ["artifacts", "checkout", "matrix", "placement", "push-paths", "retry", "services"];
/** Mostly code that the server's tests run as well. */
const alsoAtFullSize = [
  "env-order",
  "needs-skipped-and-failed",
  "parallel-steps",
  "reports",
  "step-image-and-shell",
  "step-status",
];
const names = [...parts, ...(isFull || only ? alsoAtFullSize : [])].filter(
  (name) => only?.includes(name) ?? true,
);
/** Of its own: the tests with a server remove theirs when they are done. */
const images = [
  { name: "exec-scenario/sh:1" },
  { name: "exec-scenario/bash:1", programs: [{ path: "/bin/bash", as: ["bash"] }] },
  { name: "exec-scenario/builder:1", changes: ["USER 1000:1000"] },
];

vi.setConfig({ maxConcurrency: 3, testTimeout: 200_000 });
const docker = new Dockerode();
let git: GitClient;
let cli: CommandLine;

beforeAll(async () => {
  for (const image of images) await importTestImage(docker, image);
  git = await createGitClient("/nonexistent");
  cli = await commandLine({});
});
afterAll(async () => {
  await git?.remove();
  await cli?.remove();
  await Promise.all(images.map(({ name }) => docker.getImage(name).remove({ force: true })));
});

describe.concurrent("run here, a pipeline file", () => {
  it.for(names)("%s", async (name) => {
    const read = async (part: string) =>
      (await readFile(join(directory, name, part), "utf8")).replaceAll("scenario/", "exec-scenario/");
    const scenario = Scenario.parse(JSON.parse(await read("expected.json")));
    await playHere({ git, cli }, scenario, await read("pipeline.yml"));
  });
});
