import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import pg from "pg";
import ssh2 from "ssh2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileCache } from "../../support/compile-cache.ts";
import { eventually } from "../../support/eventually.ts";
import { noRateLimits } from "../../support/no-rate-limits.ts";
import { programFile } from "../../support/program-bundles.ts";
import { readBed } from "../../support/bed.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";

const main = programFile("server/main.ts");
let database: TestDatabase;
let directory: string;
let env: NodeJS.ProcessEnv;
const running: ChildProcess[] = [];

beforeAll(async () => {
  const bed = await readBed();
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), "forgeline-process-"));
  env = {
    PATH: process.env["PATH"],
    ...compileCache,
    ...noRateLimits,
    FORGELINE_DATABASE_URL: database.url,
    FORGELINE_OWNER_DATABASE_URL: database.ownerUrl,
    FORGELINE_DATA_DIR: directory,
    FORGELINE_HTTP_PORT: "0",
    FORGELINE_METRICS_PORT: "0",
    FORGELINE_TRUSTED_PROXIES: "127.0.0.1",
    FORGELINE_PUBLIC_URL: "https://forge.example",
    FORGELINE_LOG_LEVEL: "warn",
    TEMPORAL_ADDRESS: bed.temporalAddress,
  };
});
afterAll(async () => {
  for (const child of running) if (child.exitCode === null) child.kill("SIGKILL");
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

function start(args: string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...env, ...more },
    stdio: ["pipe", "pipe", "pipe"],
  });
  running.push(child);
  return child;
}

async function finish(
  child: ChildProcess,
  input = "",
): Promise<{ code: number | null; out: string; err: string }> {
  child.stdin?.end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, "close"),
  ]);
  return { code: code as number | null, out, err };
}

async function firstLine(child: ChildProcess): Promise<Record<string, unknown>> {
  const lines = createInterface({ input: child.stdout! });
  const [line] = (await once(lines, "line")) as [string];
  child.stdout!.resume();
  return JSON.parse(line) as Record<string, unknown>;
}

interface Answer {
  status: number;
  body: string;
}

function get(port: unknown, path: string, headers: Record<string, string>, agent?: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ port: Number(port), path, headers, ...(agent ? { agent } : {}) }, (res) => {
      text(res).then((body) => resolve({ status: res.statusCode ?? 0, body }), reject);
    })
      .on("error", reject)
      .end();
  });
}

function post(port: unknown, path: string, token: string, body: unknown): Promise<number> {
  const headers = {
    "X-Forwarded-Proto": "https",
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
  };
  return new Promise((resolve, reject) => {
    request({ port: Number(port), path, method: "POST", headers }, (res) =>
      resolve(res.resume().statusCode ?? 0),
    )
      .on("error", reject)
      .end(JSON.stringify(body));
  });
}

/** As the aging of leases sees it. */
async function countServersUp(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>("select count(*)::int as n from server_heartbeats");
    return rows[0]?.n ?? -1;
  } finally {
    await client.end();
  }
}

test("migrates twice, makes an administrator twice, and serves behind a proxy that ends TLS", async () => {
  for (let i = 0; i < 2; i++) expect(await finish(start(["migrate"]))).toMatchObject({ code: 0, err: "" });
  const first = await finish(start(["create-admin", "--username", "root"]), "correct horse\n");
  expect(first).toMatchObject({ code: 0, err: "" });
  const again = await finish(
    start(["create-admin", "--username", "root"], { FORGELINE_ADMIN_PASSWORD: "another one 2" }),
  );
  const admin = JSON.parse(again.out) as { id: string; token: string };
  expect(admin.id).toBe((JSON.parse(first.out) as { id: string }).id);

  const server = start(["serve"]);
  const ready = await firstLine(server);
  expect(ready).toMatchObject({ ready: true, base_url: "https://forge.example/api/v1" });
  const forwarded = {
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "203.0.113.7",
    Authorization: `Bearer ${admin.token}`,
  };
  const user = await get(ready["http_port"], "/api/v1/user", forwarded);
  expect(user.status).toBe(200);
  expect(JSON.parse(user.body)).toMatchObject({ username: "root" });
  const plain = await get(ready["http_port"], "/api/v1/user", { ...forwarded, "X-Forwarded-Proto": "http" });
  expect([plain.status, plain.body]).toEqual([403, expect.stringContaining("https_required")]);
  const metrics = await get(ready["metrics_port"], "/metrics", {});
  expect(metrics.body).toMatch(
    /forgeline_http_request_seconds_count\{method="GET",route="\/user",status="200"\} 1/,
  );
  server.kill("SIGTERM");
  expect(await once(server, "close")).toEqual([0, null]);
});

test("stopping lets a request in flight end, and takes no new ones", async () => {
  const admin = JSON.parse(
    (await finish(start(["create-admin", "--username", "stopper"]), "correct horse\n")).out,
  ) as { token: string };
  const server = start(["serve"]);
  const ready = await firstLine(server);
  const port = Number(ready["http_port"]);
  await eventually(async () => (await countServersUp()) === 1);
  const body = JSON.stringify({ name: "late", scopes: ["user:read"] });
  const headers = {
    "X-Forwarded-Proto": "https",
    Authorization: `Bearer ${admin.token}`,
    "Content-Type": "application/json",
    "Content-Length": body.length,
    Expect: "100-continue",
  };
  const req = request({ port, path: "/api/v1/user/tokens", method: "POST", headers });
  const answered = new Promise<number>((resolve, reject) => {
    req.on("response", (res) => resolve(res.resume().statusCode ?? 0)).on("error", reject);
  });
  req.flushHeaders();
  await once(req, "continue");
  req.write(body.slice(0, 5));
  server.kill("SIGTERM");
  await eventually(() =>
    get(port, "/healthz", { "X-Forwarded-Proto": "https" }).then(
      () => false,
      () => true,
    ),
  );
  // Nor does it count as up any more: the leases of runners, which cannot come, would age.
  expect(await countServersUp()).toBe(0);
  expect(server.exitCode).toBe(null);
  req.end(body.slice(5));
  expect(await answered).toBe(201);
  expect(await once(server, "close")).toEqual([0, null]);
});

test("stopping lets a push over SSH end, and takes no new connection", async () => {
  const admin = JSON.parse(
    (await finish(start(["create-admin", "--username", "pusher"]), "correct horse\n")).out,
  ) as { token: string };
  const key = ssh2.utils.generateKeyPairSync("ed25519");
  const server = start(["serve"], { FORGELINE_SSH_PORT: "0" });
  const ready = await firstLine(server);
  for (const [path, body] of [
    ["/user/keys", { key: key.public }],
    ["/repos", { name: "late" }],
  ] as const)
    expect(await post(ready["http_port"], `/api/v1${path}`, admin.token, body)).toBe(201);
  const port = Number(ready["ssh_port"]);
  const client = new ssh2.Client();
  client.connect({ host: "127.0.0.1", port, username: "git", privateKey: key.private });
  await once(client, "ready");
  const stream = await new Promise<ssh2.ClientChannel>((resolve, reject) =>
    client.exec("git-receive-pack 'pusher/late'", (error, made) => (error ? reject(error) : resolve(made))),
  );
  await once(stream, "data");
  server.kill("SIGTERM");
  await eventually(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, "127.0.0.1").on("error", () => resolve(true));
        socket.on("connect", () => socket.destroy()).on("close", () => resolve(false));
      }),
  );
  expect(server.exitCode).toBe(null);
  const exited = once(stream, "exit");
  stream.resume();
  stream.end("0000");
  expect(await exited).toEqual([0]);
  expect(await once(server, "close")).toEqual([0, null]);
});

test("does not start with a wrong configuration, and says why", async () => {
  const wide = await finish(start(["serve"], { FORGELINE_TRUSTED_PROXIES: "0.0.0.0/0" }));
  expect(wide).toMatchObject({ code: 1, err: expect.stringContaining("FORGELINE_TRUSTED_PROXIES: ") });
  const noTls = await finish(start(["serve"], { FORGELINE_TRUSTED_PROXIES: "" }));
  expect(noTls).toMatchObject({ code: 1, err: expect.stringContaining("only HTTPS is served") });
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const port = String((taken.address() as AddressInfo).port);
  const busy = await finish(start(["serve"], { FORGELINE_HTTP_PORT: port }));
  taken.close();
  expect(busy).toMatchObject({ code: 1, err: expect.stringContaining("EADDRINUSE") });
  expect((await finish(start(["nonsense"]))).code).toBe(2);
  const short = await finish(start(["create-admin"]), "short\n");
  expect(short).toMatchObject({ code: 1, err: expect.stringContaining("At least 10 characters") });
});
