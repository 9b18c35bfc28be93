/** The runner's program, registered for one job: it ends after it, and leaves no runner behind. */
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { startProgram, type Program } from "../../support/program.ts";
import { withTexts } from "../../support/text-database.ts";
import { insertAttempt } from "../runner-hub/queued-attempt.ts";

let server: ApiServer;
let admin: TestPerson;
let directory: string;
const programs: Program[] = [];

beforeAll(async () => {
  server = await startApiServer();
  admin = await server.person("root", { isAdmin: true });
});
afterAll(() => server.stop());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-one-job-"));
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.kill();
  await rm(directory, { recursive: true, force: true });
});

async function start(name: string): Promise<Program> {
  const path = "/runners/registration-tokens";
  const { json } = await server.api("POST", path, { token: admin.token, body: {} });
  const env = {
    PATH: process.env["PATH"],
    FORGELINE_RUNNER_DIR: join(directory, "runner"),
    FORGELINE_RUNNER_URL: server.webUrl,
    FORGELINE_RUNNER_TOKEN: json.token as string,
    FORGELINE_RUNNER_NAME: name,
    FORGELINE_RUNNER_LABELS: "docker",
    FORGELINE_RUNNER_CAPACITY: "4",
    FORGELINE_RUNNER_ONE_JOB: "true",
    FORGELINE_RUNNER_CA_FILE: server.caFile,
    FORGELINE_RUNNER_ENGINE: "fake",
  };
  const program = startProgram({ name, args: ["runner/main.ts", "start"], env, directory });
  programs.push(program);
  return program;
}

interface Shown {
  name: string;
  status: string;
  capacity: number;
  one_job: boolean;
}

async function shown(name: string): Promise<Shown | undefined> {
  const { json } = await server.api("GET", "/runners?per_page=100", { token: admin.token });
  return (json as Shown[]).find((runner) => runner.name === name);
}

const isRegistered = () =>
  access(join(directory, "runner", "runner.json")).then(
    () => true,
    () => false,
  );

it("runs one of two jobs, exits with 0, and is gone from the list and from its directory", async () => {
  const { json: repository } = await server.api("POST", "/repos", {
    token: admin.token,
    body: { name: "app" },
  });
  const db = withTexts(server.container.platform.db);
  const given = { repositoryId: repository.id as string, userId: admin.id, labels: ["docker"], job: {} };
  await insertAttempt(db, { ...given, number: 1 });
  await insertAttempt(db, { ...given, number: 2 });
  const program = await start("single");
  expect(await program.exited()).toBe(0);
  await eventually(async () => (await shown("single")) === undefined);
  expect(await isRegistered()).toBe(false);
  const lines = (await readFile(program.logFile, "utf8")).split("\n").filter((line) => line.startsWith("{"));
  const said = lines.map((line) => JSON.parse(line) as { level: string; msg: string });
  expect(said.filter(({ level }) => level === "error")).toEqual([]);
  const states = await db.query<{ state: string }>("select state from job_attempts order by state");
  expect(states.map(({ state }) => state)).toEqual(["ended", "queued"]);
  await db.query("delete from job_attempts");
});

it("takes one job at a time, whatever capacity it is given, and may be stopped before any", async () => {
  const program = await start("stopped");
  const found = await eventually(
    async () => {
      const runner = await shown("stopped");
      return runner?.status === "online" ? runner : undefined;
    },
    { timeoutMs: 40_000 },
  );
  expect(found).toMatchObject({ capacity: 1, one_job: true });
  expect(await program.end("SIGTERM")).toBe(0);
  expect(await isRegistered()).toBe(false);
});
