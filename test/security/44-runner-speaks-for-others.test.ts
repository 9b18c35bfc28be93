/** A runner speaks for its own leases, with its own key, in our version; whatever else it says changes nothing. */
import { createServer } from "node:https";
import { mkdir, readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { WebSocket, WebSocketServer } from "ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localRequest } from "@forgeline/launcher/https-client.ts";
import { writeRunnerFile } from "@forgeline/runner/config.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { runnerSubprotocol } from "@forgeline/schemas/runner-protocol/version.ts";
import { eventually } from "../support/eventually.ts";
import { startTestInstance, type TestInstance } from "../support/instance.ts";
import { startProgram } from "../support/program.ts";
import { createProject, oneJob, type Project } from "../support/project.ts";
import { ProtocolRunner, success, type ProtocolRunnerOptions } from "../support/protocol-runner.ts";

let instance: TestInstance;
let project: Project;
let database: pg.Client;
let ca: string;
beforeAll(async () => {
  instance = await startTestInstance({
    runners: 0,
    env: { FORGELINE_HEARTBEAT_MS: "1000" },
  });
  ca = await readFile(instance.certificates.caFile, "utf8");
  database = new pg.Client({ connectionString: instance.database.url });
  await database.connect();
  project = await createProject(instance, "fenced");
});
afterAll(async () => {
  clearInterval(beating);
  await database.end();
  await project.remove();
  await instance.stop();
});

interface Key {
  id: string;
  credential: string;
  connect_url: string;
}
const registrationToken = async () =>
  (await instance.api<{ token: string }>("POST", "/runners/registration-tokens", {})).token;
const register = (token: string, name: string) =>
  localRequest(`${instance.url}/api/v1/runners/register`, {
    caFile: instance.certificates.caFile,
    method: "POST",
    body: { token, name, labels: ["docker"], capacity: 1 },
  });
let made = 0;
const newKey = async () => JSON.parse((await register(await registrationToken(), `r${made++}`)).text) as Key;
/** What each runner that has said hello holds; they beat all the time, however slow the machine is. */
const held = new Map<ProtocolRunner, { attemptId: string; epoch: number }[]>();
const beating = setInterval(() => {
  for (const [runner, leases] of held) if (runner.socket.readyState === WebSocket.OPEN) runner.beat(leases);
}, 300);
const greet = async (runner: ProtocolRunner) => {
  await runner.hello();
  held.set(runner, []);
};
const connect = (key: Key, more: Partial<ProtocolRunnerOptions> = {}) =>
  new ProtocolRunner({ url: key.connect_url, ca, credential: key.credential, ...more });
/** Before that, another connection with the key is asked to come again later. */
const isOffline = (key: Key) =>
  eventually(async () => {
    const runner = await instance.api<{ status: string }>("GET", `/runners/${key.id}`);
    return runner.status === "offline";
  });
const auditOf = async (id: string) =>
  (
    await database.query<{ action: string }>("select action from audit_log where target_id = $1", [id])
  ).rows.map((row) => row.action);

/** A run whose only job is leased to `runner`. */
async function leased(runner: ProtocolRunner): Promise<{ sha: string; spec: LeaseSpec }> {
  const { sha } = await project.push({ ".forgeline.yml": oneJob("true") }, { message: `run ${made++}` });
  const spec = await runner.acceptNext();
  held.set(runner, [{ attemptId: spec.attemptId, epoch: spec.epoch }]);
  return { sha, spec };
}

test("neither another runner's words nor its own, said again later, change a result", async () => {
  const [ownKey, otherKey] = [await newKey(), await newKey()];
  const owner = connect(ownKey);
  await greet(owner);
  const { sha, spec } = await leased(owner);
  const { attemptId, epoch } = spec;

  const other = connect(otherKey);
  await greet(other);
  const forged = { ...success, status: "failed" as const, reason: "exit:1", message: "forged" };
  expect(await other.ask({ t: "started", attemptId, epoch, timeMs: 1 })).toMatchObject({ t: "nack" });
  expect(await other.done(spec, forged)).toMatchObject({ t: "nack", code: "unknown_lease" });
  other.log(spec.streams[0]?.channel ?? 1, 0, "forged\n");
  await eventually(async () => (await auditOf(otherKey.id)).includes("runner.foreign_lease"));

  // Junk and a frame without end cost the stranger its connection, and nobody else anything.
  other.socket.send(Buffer.alloc(3 * 1024 * 1024));
  expect((await eventually(() => other.closed)).code).toBe(1009);
  await isOffline(otherKey);
  const junk = connect(otherKey);
  await greet(junk);
  for (let i = 0; i < 8; i++) junk.socket.send(`{"t":"done","id":"${i}`);
  expect((await eventually(() => junk.closed)).code).toBe(4400);

  owner.say({ t: "started", attemptId, epoch, timeMs: Date.now() });
  const text = "mine\n";
  const step = spec.streams.find((stream) => stream.kind === "step")?.channel ?? 0;
  owner.log(step, 0, text);
  await owner.endStreams(spec, { [step]: text });
  expect(await owner.done(spec)).toMatchObject({ t: "ack" });
  const run = await project.finished(sha);
  expect(run.status).toBe("success");

  await owner.done(spec, forged);
  owner.log(step, text.length, "more\n", 2);
  await owner.ask({ t: "started", attemptId, epoch, timeMs: Date.now() });
  const again = await project.runOf(sha);
  expect(again).toMatchObject({ status: "success", finished_at: run.finished_at });
  expect((await project.log(run)).toString()).toBe(text);
  // The job's token ended with it.
  const answer = await localRequest(`${instance.url}/api/v1${project.path}`, {
    caFile: instance.certificates.caFile,
    token: spec.token,
  });
  expect(answer.status).toBe(401);
  owner.vanish();
});

test("what an old attempt says after its lease was taken away is refused, and the new one counts", async () => {
  const [lostKey, nextKey] = [await newKey(), await newKey()];
  const lost = connect(lostKey);
  await greet(lost);
  const { sha, spec } = await leased(lost);
  lost.say({ t: "started", attemptId: spec.attemptId, epoch: spec.epoch, timeMs: Date.now() });
  lost.vanish();
  // As if it had been away for longer than a lease lasts.
  await database.query("update server_uptime set up_since = now() - interval '1 day'");
  await database.query("update job_attempts set lease_renewed_at = now() - interval '1 hour' where id = $1", [
    spec.attemptId,
  ]);
  const next = connect(nextKey);
  await greet(next);
  const second = await eventually(() => next.acceptNext(), { timeoutMs: 30_000 });
  held.set(next, [{ attemptId: second.attemptId, epoch: second.epoch }]);
  expect(second.jobId).toBe(spec.jobId);
  expect(second.attempt).toBe(2);

  const back = connect(lostKey, { instanceId: lost.instanceId });
  const welcome = await back.hello([
    { attemptId: spec.attemptId, epoch: spec.epoch, state: "running", streams: {} },
  ]);
  expect(welcome.leases).toMatchObject([{ attemptId: spec.attemptId, keep: false }]);
  expect(await back.done(spec)).toMatchObject({ t: "nack" });
  await next.runTrivially(second);
  const run = await project.finished(sha);
  expect(run.status).toBe("success");
  expect(run.stages[0]?.jobs[0]?.attempts.map((each) => [each.status, each.reason])).toEqual([
    ["error", "runner_lost"],
    ["success", null],
  ]);
  back.vanish();
  next.vanish();
});

test("two runners with one key: the second is refused, both are flagged", async () => {
  const key = await newKey();
  const first = connect(key);
  await greet(first);
  const second = connect(key);
  await second.opened();
  second.sayHello();
  expect((await eventually(() => second.closed)).code).toBe(4409);
  expect(first.closed).toBeUndefined();
  const runner = await instance.api<{ duplicate_seen_at: string | null }>("GET", `/runners/${key.id}`);
  expect(runner.duplicate_seen_at).not.toBeNull();
  const { rows } = await database.query<{ details: unknown }>(
    "select details from audit_log where target_id = $1 and action = 'runner.duplicate'",
    [key.id],
  );
  const both = { refused_instance: second.instanceId, connected_instance: first.instanceId };
  expect(rows.map(({ details }) => details)).toEqual([expect.objectContaining(both)]);
  first.vanish();
});

test("tokens: one registration each, nobody else's token is accepted, a removed runner's key neither", async () => {
  const token = await registrationToken();
  expect((await register(token, "once")).status).toBe(201);
  expect((await register(token, "twice")).status).toBe(401);
  expect((await register(`svc_reg_${"x".repeat(43)}`, "never")).status).toBe(401);
  const key = await newKey();
  for (const credential of [token, instance.adminToken, `svc_runner_${"x".repeat(43)}`]) {
    const refused = connect({ ...key, credential });
    expect(await eventually(() => refused.refused)).toBe(401);
  }
  const runner = connect(key);
  await greet(runner);
  await instance.api("DELETE", `/runners/${key.id}`);
  expect((await eventually(() => runner.closed)).code).toBe(4403);
  const rest = await localRequest(`${instance.url}/api/v1/user`, {
    caFile: instance.certificates.caFile,
    token: key.credential,
  });
  expect(rest.status).toBe(401);
});

test("a runner of another version is told so, and a runner says so of another server", async () => {
  const future = connect(await newKey(), { protocols: [7] });
  await future.opened();
  future.sayHello();
  expect(await eventually(() => future.closed)).toEqual({
    code: 4406,
    reason: "this server supports 1; the runner supports 7",
  });

  const { certFile, keyFile, caFile } = instance.certificates;
  const https = createServer({ cert: await readFile(certFile), key: await readFile(keyFile) });
  const sockets = new WebSocketServer({ server: https, handleProtocols: () => runnerSubprotocol });
  sockets.on("connection", (socket) => socket.close(4406, "this server supports 9; the runner supports 1"));
  await new Promise<void>((resolve) => https.listen(0, "127.0.0.1", resolve));
  const directory = join(instance.directory, "old");
  await mkdir(directory);
  await writeRunnerFile(directory, {
    id: "rnr_old",
    credential: "svc_runner_old",
    connect_url: `wss://localhost:${(https.address() as AddressInfo).port}/`,
    name: "old",
    labels: [],
    capacity: 1,
    ca_file: caFile,
  });
  const env = { PATH: process.env["PATH"], HOME: directory, FORGELINE_RUNNER_DIR: directory };
  const program = startProgram({ name: "old", args: ["runner/main.ts", "start"], env, directory });
  expect(await program.exited()).toBe(1);
  const said = await readFile(program.logFile, "utf8");
  expect(said).toContain("have no protocol version in common");
  expect(said).toContain("this server supports 9; the runner supports 1");
  sockets.close();
  https.close();
});
