/** The example scaler of `deploy/`, with runners for one job as they are. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { programFile } from "../../support/program-bundles.ts";
import { needs } from "../../support/programs/needs.ts";
import { withTexts } from "../../support/text-database.ts";
import { insertAttempt } from "../runner-hub/queued-attempt.ts";

const program = join(import.meta.dirname, "../../../deploy/autoscaling/scale-runners.mjs");
const scalers: Scaler[] = [];

class Scaler {
  said = "";
  readonly process: ChildProcess;

  constructor(env: Record<string, string>) {
    const settings = {
      PATH: process.env["PATH"],
      FORGELINE_TOKEN: "unused",
      SCALE_LABELS: "os=linux",
      ...env,
    };
    this.process = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "pipe"], env: settings });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.on("data", (bytes: Buffer) => (this.said += bytes.toString()));
    scalers.push(this);
  }

  async end(): Promise<void> {
    this.process.kill("SIGTERM");
    if (this.process.exitCode === null) await once(this.process, "close");
    if (this.process.exitCode !== 0) throw new Error(`it ended with ${this.process.exitCode}: ${this.said}`);
  }
}

let server: ApiServer;
let root: TestPerson;
let repositoryId: string;
let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "forgeline-scaler-"));
  server = await startApiServer();
  root = await server.person("root", { isAdmin: true });
  repositoryId = (await server.api("POST", "/repos", { token: root.token, body: { name: "app" } })).json.id;
});
afterAll(async () => {
  for (const { process: each } of scalers) if (each.exitCode === null) each.kill("SIGKILL");
  await server.stop();
  await rm(place, { recursive: true, force: true });
});

let number = 0;
async function queue(...labels: string[]): Promise<void> {
  const db = withTexts(server.container.platform.db);
  await insertAttempt(db, { repositoryId, userId: root.id, number: ++number, labels, job: {} });
  await db.transaction((tx) => tx.notify("queue", repositoryId));
}

const statesOf = async (label: string) =>
  (
    await withTexts(server.container.platform.db).query<{ state: string }>(
      "select state from job_attempts where $1 = any(labels)",
      [label],
    )
  ).map(({ state }) => state);

it("starts as many as may run for the jobs that fit, each for one job, and ends with them", async () => {
  const scaler = new Scaler({
    NODE_EXTRA_CA_CERTS: server.caFile,
    FORGELINE_URL: server.webUrl,
    FORGELINE_TOKEN: root.token,
    FORGELINE_RUNNER_ENGINE: "fake",
    FORGELINE_RUNNER_CA_FILE: server.caFile,
    SCALE_MAX: "2",
    SCALE_EVERY_MS: "500",
    SCALE_COMMAND: `"${process.execPath}" --disable-warning=ExperimentalWarning "${programFile("runner/main.ts")}" start`,
  });
  await queue("os=windows");
  for (let i = 0; i < 5; i++) await queue("os=linux");
  await eventually(async () => (await statesOf("os=linux")).every((state) => state === "ended"), {
    timeoutMs: 100_000,
  });
  expect(await statesOf("os=windows")).toEqual(["queued"]);
  expect(
    Math.max(...[...scaler.said.matchAll(/\((\d+) of 2\)/g)].map(([, running]) => Number(running))),
  ).toBe(2);
  expect([...scaler.said.matchAll(/ended with 0/g)].length).toBeGreaterThanOrEqual(4);
  const { json } = await server.api("GET", "/runners?per_page=100", { token: root.token });
  expect((json as { one_job: boolean }[]).every((runner) => runner.one_job)).toBe(true);
  await scaler.end();
}, 120_000);

it("says why it does not reach a server whose authority it does not know, and what to set", async () => {
  const scaler = new Scaler({ FORGELINE_URL: server.webUrl, SCALE_EVERY_MS: "200" });
  await eventually(() => scaler.said.includes("\n"));
  expect(scaler.said).toMatch(/fetch failed: .*certificate.*NODE_EXTRA_CA_CERTS.*FORGELINE_RUNNER_CA_FILE/);
  await scaler.end();
});

it("refuses settings that are no numbers, and tells who may scale runners of the instance", async () => {
  const wrong = new Scaler({ FORGELINE_URL: server.webUrl, SCALE_MAX: "abc" });
  await once(wrong.process, "close");
  expect([wrong.process.exitCode, wrong.said]).toEqual([
    2,
    'scale-runners: SCALE_MAX must be a whole number of at least 1, not "abc"\n',
  ]);
  const ada = await server.person("ada");
  const scaler = new Scaler({
    NODE_EXTRA_CA_CERTS: server.caFile,
    FORGELINE_URL: server.webUrl,
    FORGELINE_TOKEN: ada.token,
    SCALE_EVERY_MS: "200",
  });
  await eventually(() => scaler.said.includes("HTTP 403"));
  expect(scaler.said).toContain("set SCALE_ORGANIZATION");
  await scaler.end();
});

/** A server at which one job waits for ever, and that counts how often it is asked. */
async function waitingServer(): Promise<{ url: string; looks: () => number; close: () => void }> {
  let looks = 0;
  const http = createServer((request, response) => {
    if (request.url?.endsWith("/demand")) looks++;
    const sets = [{ labels: ["os=linux"], queued: 1, idle: 0 }];
    response.end(JSON.stringify({ label_sets: sets, token: "svc_reg_secret" }));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, looks: () => looks, close: () => http.close() };
}

/** As a busy runner: TERM does not end it. It ends when its directory has the file `done`. */
const busy = `#!/bin/sh
trap 'echo got TERM' TERM
echo "one job: $FORGELINE_RUNNER_ONE_JOB, labels: $FORGELINE_RUNNER_LABELS, token: $FORGELINE_RUNNER_TOKEN, in $FORGELINE_RUNNER_DIR"
while ! [ -e "$FORGELINE_RUNNER_DIR/done" ]; do sleep 0.1; done
`;

/** What is said until the runner ends, which it does when `meanwhile` is over, the scaler was told to end and the runner has heard of it. */
async function busyRunner(env: Record<string, string>, meanwhile: (scaler: Scaler) => Promise<unknown>) {
  await writeFile(join(place, "busy.sh"), busy, { mode: 0o755 });
  const scaler = new Scaler({ SCALE_MAX: "1", SCALE_EVERY_MS: "200", ...env });
  await eventually(() => scaler.said.includes("one job: true"), { timeoutMs: 60_000 });
  await meanwhile(scaler);
  const ended = scaler.end();
  await eventually(() => scaler.said.includes("got TERM"));
  const directory = / in (\S+)/.exec(scaler.said)![1]!;
  await writeFile(join(directory, "done"), "");
  await ended;
  await eventually(() => !existsSync(directory));
  expect(scaler.said).toMatch(/scaled-\S+ ended with 0/);
  return scaler.said;
}

it("tells a runner once that it may end, however often it looks and although it ends itself", async () => {
  const waiting = await waitingServer();
  const said = await busyRunner(
    { FORGELINE_URL: waiting.url, SCALE_COMMAND: join(place, "busy.sh"), SCALE_IDLE_MS: "1000" },
    async (scaler) => {
      await eventually(() => scaler.said.includes("got TERM"));
      const before = waiting.looks();
      await eventually(() => waiting.looks() > before + 3);
    },
  );
  waiting.close();
  expect(said.match(/got TERM/g)).toHaveLength(1);
}, 60_000);

it("starts containers of an image, which get the registration, their directory and TERM", async () => {
  needs("docker");
  const waiting = await waitingServer();
  const image = {
    SCALE_IMAGE: "forgeline/base:1",
    SCALE_DOCKER_OPTIONS: `--network=none --volume=${place}/busy.sh:/busy.sh:ro --entrypoint=/busy.sh`,
  };
  const said = await busyRunner({ FORGELINE_URL: waiting.url, ...image }, () => Promise.resolve());
  waiting.close();
  expect(said).toContain("one job: true, labels: os=linux, token: svc_reg_secret, in ");
  expect(said.match(/got TERM/g)).toHaveLength(1);
}, 90_000);
