/** `start` where nothing is registered yet, as a container of `docker-compose.yml` does it: by its environment alone. */
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { startProgram, type Program } from "../../support/program.ts";

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
  directory = await mkdtemp(join(tmpdir(), "forgeline-self-"));
});
afterEach(async () => {
  for (const program of programs.splice(0)) await program.kill();
  await rm(directory, { recursive: true, force: true });
});

async function registrationToken(): Promise<string> {
  const path = "/runners/registration-tokens";
  return ((await server.api("POST", path, { token: admin.token, body: {} })).json as { token: string }).token;
}

/** The environment of the compose file's runner. */
function start(name: string, token: string): Program {
  const env = {
    PATH: process.env["PATH"],
    FORGELINE_RUNNER_DIR: join(directory, "runner"),
    FORGELINE_RUNNER_URL: server.webUrl,
    FORGELINE_RUNNER_TOKEN: token,
    FORGELINE_RUNNER_NAME: name,
    FORGELINE_RUNNER_CAPACITY: "4",
    FORGELINE_RUNNER_CA_FILE: server.caFile,
    FORGELINE_RUNNER_ENGINE: "fake",
  };
  const program = startProgram({ name, args: ["runner/main.ts", "start"], env, directory });
  programs.push(program);
  return program;
}

async function named(name: string): Promise<{ id: string; status: string; capacity: number }[]> {
  const { json } = await server.api("GET", "/runners?per_page=100", { token: admin.token });
  return (json as { id: string; name: string; status: string; capacity: number }[]).filter(
    (runner) => runner.name === name,
  );
}

async function online(name: string) {
  return eventually(async () => (await named(name)).find((runner) => runner.status === "online"), {
    timeoutMs: 40_000,
  });
}

it("registers at its first start, and is the same runner at the next, whose token is used up", async () => {
  const token = await registrationToken();
  const program = start("compose", token);
  const first = await online("compose");
  expect(first.capacity).toBe(4);
  const file = join(directory, "runner", "runner.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, "utf8")).not.toContain(token);
  expect(await program.end("SIGTERM")).toBe(0);

  program.start();
  await online("compose");
  expect((await named("compose")).map((runner) => runner.id)).toEqual([first.id]);
});

it("ends with the server's words when the token is not good, and leaves nothing that looks registered", async () => {
  const program = start("stranger", "svc_reg_unknown");
  expect(await program.exited()).toBe(1);
  const said = await readFile(program.logFile, "utf8");
  expect(said).toContain("The registration token is unknown, already used, or expired");
  expect(said).not.toContain("svc_reg_unknown");
  await expect(stat(join(directory, "runner", "runner.json"))).rejects.toMatchObject({ code: "ENOENT" });
  expect(await named("stranger")).toEqual([]);
});
