/** The example scaler of `deploy/`, with runners for one job as they are. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { programFile } from "../../support/program-bundles.ts";
import { withTexts } from "../../support/text-database.ts";
import { insertAttempt } from "../runner-hub/queued-attempt.ts";

let server: ApiServer;
let root: TestPerson;
let scaler: ChildProcess;
let said = "";
let repositoryId: string;
beforeAll(async () => {
  server = await startApiServer();
  root = await server.person("root", { isAdmin: true });
  repositoryId = (await server.api("POST", "/repos", { token: root.token, body: { name: "app" } })).json.id;
  scaler = spawn(
    process.execPath,
    [join(import.meta.dirname, "../../../deploy/autoscaling/scale-runners.mjs")],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        NODE_EXTRA_CA_CERTS: server.caFile,
        FORGELINE_URL: server.webUrl,
        FORGELINE_TOKEN: root.token,
        FORGELINE_RUNNER_ENGINE: "fake",
        FORGELINE_RUNNER_CA_FILE: server.caFile,
        SCALE_LABELS: "os=linux",
        SCALE_MAX: "2",
        SCALE_EVERY_MS: "500",
        SCALE_COMMAND: `"${process.execPath}" --disable-warning=ExperimentalWarning "${programFile("runner/main.ts")}" start`,
      },
    },
  );
  for (const stream of [scaler.stdout, scaler.stderr])
    stream?.on("data", (bytes: Buffer) => (said += bytes.toString()));
});
afterAll(async () => {
  if (scaler.exitCode === null) scaler.kill("SIGKILL");
  await server.stop();
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
  await queue("os=windows");
  for (let i = 0; i < 5; i++) await queue("os=linux");
  await eventually(async () => (await statesOf("os=linux")).every((state) => state === "ended"), {
    timeoutMs: 100_000,
  });
  expect(await statesOf("os=windows")).toEqual(["queued"]);
  expect(Math.max(...[...said.matchAll(/\((\d+) of 2\)/g)].map(([, running]) => Number(running)))).toBe(2);
  expect([...said.matchAll(/ended with 0/g)].length).toBeGreaterThanOrEqual(4);
  const { json } = await server.api("GET", "/runners?per_page=100", { token: root.token });
  expect((json as { one_job: boolean }[]).every((runner) => runner.one_job)).toBe(true);
  scaler.kill("SIGTERM");
  if (scaler.exitCode === null) await once(scaler, "exit");
  expect(scaler.exitCode, said).toBe(0);
}, 120_000);
