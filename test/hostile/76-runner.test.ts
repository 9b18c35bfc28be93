/** The filter of a whole runner: on without being asked for, told to the server, there while jobs are, and gone with the runner. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOwnProcess } from "@forgeline/runner/egress/own-process.ts";
import { namesFor } from "@forgeline/runner/egress/policy.ts";
import { listFrame } from "@forgeline/runner/egress/table.ts";
import { installInit } from "@forgeline/runner/init/program.ts";
import { eventually } from "../support/eventually.ts";
import { runnerId } from "../support/instance-run.ts";
import { runnerIsOnline, type TestRunner } from "../support/instance.ts";
import { createProject, type Project } from "../support/project.ts";
import { sharedInstance, type SharedInstance } from "../support/shared-instance.ts";
import { isRoot } from "./support/hostile-bed.ts";
import { listenHere } from "./support/strange-networks.ts";

let instance: SharedInstance;
let project: Project;
let here: Awaited<ReturnType<typeof listenHere>>;
let directory: string;
let runner: TestRunner;
beforeAll(async () => {
  here = await listenHere();
  directory = await mkdtemp(join(tmpdir(), "forgeline-egress-"));
  instance = await sharedInstance();
  project = await createProject(instance, "reaching");
  runner = await instance.addRunner("reaching", { labels: ["reaching"] });
});
afterAll(async () => {
  await project?.remove();
  await runner?.program.end("SIGINT");
  here.close();
  await rm(directory, { recursive: true });
});

const jobHere = (step: string): string =>
  JSON.stringify({ jobs: { main: { image: "forgeline/base:1", runner: ["reaching"], steps: [step] } } });

/** Prints the word where the address can be connected to; the shell may compute host and port. */
const tell = (word: string, host: string, port: string) =>
  `code=0; timeout 5 nc -w 3 ${host} ${port} </dev/null >/dev/null 2>&1 || code=$?; [ $code = 1 ] || echo ${word}`;
const serverAddress = `address=\${CI_REPO_URL#https://}; address=\${address%%/*}`;

async function rules(): Promise<number> {
  const kernel = createOwnProcess(() => installInit(directory));
  const [answer] = await kernel.ask([listFrame(namesFor(await runnerId(runner)).table)]);
  kernel.close();
  return answer?.count ?? 0;
}

test("it says that it filters, and its jobs reach the server but no other port of the machine", async () => {
  const runners = await instance.api<{ name: string; egress: unknown }[]>("GET", "/runners");
  expect(runners.find(({ name }) => name === runner.name)?.egress).toEqual({
    state: "filtered",
    reason: null,
    allow: [],
  });
  const step = [
    serverAddress,
    tell("server", "${address%:*}", "${address##*:}"),
    tell("other", "host.docker.internal", String(here.port)),
  ].join("\n");
  const { sha } = await project.push({ ".forgeline.yml": jobHere(step) });
  const run = await project.finished(sha);
  expect((await project.log(run, "job=main&step=0")).toString()).toBe("server\n");
});

// Only root sees the table.
test.runIf(isRoot)(
  "a killed runner's jobs are held back, and the last one takes the filter with it",
  async () => {
    const other = tell("other", "host.docker.internal", String(here.port));
    const step = ["echo begun", "sleep 4", other, "echo done"].join("\n");
    const { sha } = await project.push({ ".forgeline.yml": jobHere(step) });
    const begun = await project.runOf(sha);
    await eventually(async () => (await project.log(begun)).includes("begun"), { timeoutMs: 60_000 });
    await runner.program.kill();
    expect(await rules()).toBeGreaterThan(0);
    runner.program.start();
    await runnerIsOnline(instance.api, runner.name);
    const run = await project.finished(sha);
    expect((await project.log(run, "job=main&step=0")).toString()).toBe("begun\ndone\n");
    await runner.program.end("SIGTERM");
    expect(await rules()).toBe(0);
  },
);
