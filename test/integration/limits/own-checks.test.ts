/** What the product asks for itself spends nobody's limit, and is answered when a person has nothing left. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { localRunnerStatus } from "@forgeline/launcher/local-runner.ts";
import { newestRun } from "@forgeline/server/commands/newest-run.ts";
import { registerRunner } from "@forgeline/server/commands/register-runner.ts";
import type { Config } from "@forgeline/server/config/config.ts";
import { createRunnerPresenceCheck } from "@forgeline/server/domains/pipelines/runners/presence-check.ts";
import { serveMetrics, type MetricsServer } from "@forgeline/server/platform/metrics.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { callCommandLine } from "../../support/call-command-line.ts";

let server: ApiServer;
let metrics: MetricsServer;
let ada: TestPerson;

beforeAll(async () => {
  server = await startApiServer({
    env: {
      FORGELINE_LIMIT_CORE: "3",
      FORGELINE_LIMIT_UNAUTHENTICATED: "1",
      FORGELINE_LIMIT_AUTH: "3",
      FORGELINE_LIMIT_PUBLIC: "5000",
    },
  });
  const { container } = server;
  metrics = await serveMetrics(
    container.platform.metrics,
    { host: "127.0.0.1", port: 0 },
    createRunnerPresenceCheck({ ...container.pipelines, config: container.config }),
  );
  ada = await server.person("ada", { isAdmin: true });
  // Uses up what the administrator has, and what the address has.
  await server.api("POST", "/repos", { token: ada.token, body: { name: "code" } });
  for (let n = 0; n < 3; n++) await server.api("GET", "/user", { token: ada.token });
  for (let n = 0; n < 2; n++) await server.api("GET", "/openapi.json");
});
afterAll(async () => {
  await metrics?.close();
  await server?.stop();
});

/** As the program would print it. */
async function printed(command: (config: Config, args: string[]) => Promise<void>, ...args: string[]) {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    await command(server.config, args);
    return JSON.parse(String(write.mock.calls.at(-1)?.[0])) as Record<string, string> | null;
  } finally {
    write.mockRestore();
  }
}

async function left(): Promise<number> {
  const { json } = await server.api("GET", "/rate_limit", { token: ada.token });
  return json.resources.find((each: { resource: string }) => each.resource === "core").remaining;
}

async function everyCheck(): Promise<void> {
  const registered = await printed(registerRunner, "--for", "ada", "--name", "local", "--capacity", "2");
  expect(registered).toMatchObject({ id: expect.stringMatching(/^rnr_/), name: "local" });
  expect(registered!["credential"]).toMatch(/^svc_runner_/);
  expect(registered!["connect_url"]).toMatch(/^wss:/);
  expect(await localRunnerStatus({ metrics: metrics.port }, registered!["id"]!)).toBe("offline");
  expect(await localRunnerStatus({ metrics: metrics.port }, "rnr_none")).toBeUndefined();
  expect(await printed(newestRun, "--repo", "ada/code")).toBeNull();
  expect(await printed(newestRun, "--repo", "ada/other")).toBeNull();
}

describe("what the launcher asks", () => {
  it("is answered when the administrator and the address have used up their limits, and spends nothing", async () => {
    expect((await server.api("GET", "/openapi.json")).status).toBe(429);
    await everyCheck();
    expect(await left()).toBe(0);
    expect((await server.api("GET", "/user", { token: ada.token })).status).toBe(429);
  });

  it("is answered while the table of limits answers nothing", async () => {
    const client = new pg.Client({ connectionString: server.database.ownerUrl });
    await client.connect();
    try {
      await client.query("begin");
      await client.query("lock table rate_limit_windows in access exclusive mode");
      await everyCheck();
    } finally {
      await client.end();
    }
  });

  it("says nothing else, and only to who knows a runner's id", async () => {
    const at = (path: string, method = "GET") =>
      fetch(`http://127.0.0.1:${metrics.port}${path}`, { method }).then(({ status }) => status);
    expect(await at("/runners")).toBe(404);
    expect(await at("/runners/rnr_1/jobs")).toBe(404);
    expect(await at("/runners/rnr_1", "DELETE")).toBe(404);
  });
});

describe("what is needed before anybody is known", () => {
  it("is answered at an address that has nothing left, with a limit of its own", async () => {
    while ((await server.api("GET", "/openapi.json")).status !== 429);
    for (const path of ["/meta", "//.well-known/openid-configuration", "//.well-known/jwks.json"]) {
      const { status, headers } = await server.api("GET", path);
      expect([path, status, headers["x-ratelimit-resource"], headers["x-ratelimit-limit"]]).toEqual([
        path,
        200,
        "public",
        "5000",
      ]);
    }
  });

  it("any number of runners register with good tokens; wrong ones are bounded", async () => {
    const { token } = await server.person("rae", { isAdmin: true });
    const body = { uses: 5 };
    const made = await server.api("POST", "/runners/registration-tokens", { token, body });
    const register = (secret: string) =>
      server.api("POST", "/runners/register", { body: { token: secret, name: "one" } });
    for (let n = 0; n < 5; n++) expect((await register(made.json.token)).status).toBe(201);
    const wrong = [];
    for (let n = 0; n < 4; n++) wrong.push(await register("svc_reg_wrong"));
    expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    expect(wrong[3]?.headers).toMatchObject({ "x-ratelimit-resource": "auth" });
  });
});

describe("forgeline login", () => {
  it("checks a token whose user has used up their limit, and refuses one that is not valid", async () => {
    const home = await mkdtemp(join(tmpdir(), "forgeline-login-"));
    const login = (token: string) => {
      const args = ["login", "--url", server.webUrl, "--ca-file", server.caFile, "--token", token];
      return callCommandLine(args, { home, env: { PATH: process.env["PATH"], HOME: home } });
    };
    try {
      const kept = await login(ada.token);
      expect([kept.code, kept.stderr]).toEqual([0, ""]);
      expect(kept.stdout).toContain(`signed in to ${server.webUrl}; kept in `);
      expect((await login(`${ada.token.slice(0, -4)}AAAA`)).code).toBe(1);
    } finally {
      await rm(home, { recursive: true });
    }
  });
});
