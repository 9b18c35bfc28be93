/** The operations about runners: registration, list, change, drain, removal, and who may. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Runner } from "@forgeline/schemas/runners/resource.ts";
import { migrate } from "@forgeline/server/platform/db/migrate.ts";
import { eventually } from "../../../support/eventually.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { ProtocolRunner } from "../../../support/protocol-runner.ts";
import { newId } from "@forgeline/server/platform/ids.ts";

let server: ApiServer;
let admin: TestPerson;
let ada: TestPerson;
let eve: TestPerson;

beforeAll(async () => {
  server = await startApiServer();
  await migrate(server.database.ownerUrl);
  admin = await server.person("root", { isAdmin: true });
  ada = await server.person("ada");
  eve = await server.person("eve");
  await server.container.platform.db.query(
    "insert into repositories (id, owner_id, name) values ($1, $2, 'app')",
    [newId("repo"), ada.id],
  );
});
afterAll(() => server.stop());

async function registrationToken(path = "/runners/registration-tokens", person = admin, body: object = {}) {
  const answer = await server.api("POST", path, { token: person.token, body });
  expect(answer.status).toBe(201);
  return answer.json as { id: string; token: string; expires_at: string; repository: string | null };
}

async function register(token: string, name = "one", more: object = {}) {
  return server.api("POST", "/runners/register", { body: { token, name, ...more } });
}

async function registered(options: { path?: string; person?: TestPerson } = {}) {
  const { token } = await registrationToken(options.path, options.person);
  const answer = await register(token, "one", { labels: ["docker", "os=linux"], capacity: 3 });
  expect(answer.status).toBe(201);
  return answer.json as { id: string; credential: string; connect_url: string };
}

async function auditActions(id: string): Promise<string[]> {
  const rows = await server.container.platform.db.query<{ action: string }>(
    "select action from audit_log where target_id = $1 order by seq",
    [id],
  );
  return rows.map((row) => row.action);
}

test("a registration token registers as often as it says, and no secret is stored", async () => {
  const { id, token, expires_at } = await registrationToken(undefined, admin, { uses: 2 });
  expect(token).toMatch(/^svc_reg_/);
  expect(Date.parse(expires_at)).toBeLessThanOrEqual(Date.now() + 3_700_000);
  const first = await register(token);
  expect(first.status).toBe(201);
  expect(first.headers.location).toBe(`${server.baseUrl}/runners/${first.json.id}`);
  expect(first.json).toMatchObject({
    name: "one",
    connect_url: expect.stringMatching(/^wss:.*\/runners\/connect$/),
  });
  expect(first.json.credential).toMatch(/^svc_runner_/);
  expect((await register(token, "two")).status).toBe(201);
  expect((await register(token, "three")).status).toBe(401);
  expect(await auditActions(first.json.id)).toEqual(["runner.register"]);
  expect(await auditActions(id)).toEqual(["runner.token_create"]);
  const stored = await server.container.platform.db.query(
    "select r::text || t::text as text from runners r, runner_registration_tokens t",
  );
  expect(JSON.stringify(stored)).not.toContain(token);
  expect(JSON.stringify(stored)).not.toContain(first.json.credential);
});

test("used at the same time, a token of one use makes one runner", async () => {
  const { token } = await registrationToken();
  const answers = await Promise.all([register(token), register(token), register(token)]);
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect(answers.filter((answer) => answer.status === 401)).toHaveLength(2);
});

test("expired, unknown and malformed registrations, and those that somebody suspended has left", async () => {
  const { id, token } = await registrationToken();
  await server.container.platform.db.query(
    "update runner_registration_tokens set expires_at = now() where id = $1",
    [id],
  );
  expect((await register(token)).status).toBe(401);
  const gone = await server.person("gone", { isAdmin: true });
  const theirs = await registrationToken(undefined, gone);
  await server.container.platform.db.query("update users set suspended = true where id = $1", [gone.id]);
  expect((await register(theirs.token)).status).toBe(401);
  expect((await register("svc_reg_unknown")).status).toBe(401);
  expect((await register(token, "")).status).toBe(422);
  const spaced = await register(token, "x", { labels: ["no spaces"] });
  expect([spaced.status, spaced.json.errors]).toEqual([
    422,
    [
      {
        field: "labels.0",
        code: "invalid",
        message: expect.stringMatching(/^A label is a word or key=value/),
      },
    ],
  ]);
  expect((await register(token, "x", { extra: 1 })).status).toBe(422);
  const long = await server.api("POST", "/runners/registration-tokens", {
    token: admin.token,
    body: { expires_in_minutes: 61 },
  });
  expect(long.status).toBe(422);
});

test("who may make tokens and see runners", async () => {
  const post = (path: string, token?: string) =>
    server.api("POST", path, { body: {}, ...(token === undefined ? {} : { token }) });
  const instance = "/runners/registration-tokens";
  expect((await post(instance)).status).toBe(401);
  expect((await post(instance, ada.token)).status).toBe(403);
  expect((await post(instance, await server.tokenFor(admin, ["repo:admin"]))).json.error).toBe(
    "insufficient_scope",
  );
  const own = "/repos/ada/app/runners/registration-tokens";
  expect((await post(own, eve.token)).status).toBe(404);
  expect((await post(own, await server.tokenFor(ada, ["repo:write"]))).json.error).toBe("insufficient_scope");
  expect((await post(own, ada.token)).json.repository).toBe("ada/app");
  expect((await server.api("GET", "/runners", { token: ada.token })).status).toBe(403);
  expect((await server.api("GET", "/repos/ada/app/runners", { token: eve.token })).status).toBe(404);
});

test("a repository's runner is its admins' to manage; to others it does not exist", async () => {
  const { id } = await registered({ path: "/repos/ada/app/runners/registration-tokens", person: ada });
  const instances = await registered();
  const listed = async () => {
    const { json, headers } = await server.api("GET", "/repos/ada/app/runners", { token: ada.token });
    return [json.map((runner: { id: string }) => runner.id), headers["x-total-count"]];
  };
  expect(await listed()).toEqual([[id], "1"]);
  const list = await server.api("GET", "/repos/ada/app/runners", { token: ada.token });
  expect(list.json[0]).toMatchObject({
    repository: "ada/app",
    status: "offline",
    labels: ["docker", "os=linux"],
    capacity: 3,
  });
  expect((await server.api("GET", `/runners/${id}`, { token: ada.token })).status).toBe(200);
  const hidden = await server.api("GET", `/runners/${id}`, { token: eve.token });
  const absent = await server.api("GET", `/runners/${newId("rnr")}`, { token: eve.token });
  expect([hidden.status, absent.status]).toEqual([404, 404]);
  expect(hidden.text).toBe(absent.text);
  expect((await server.api("GET", `/runners/${instances.id}`, { token: ada.token })).status).toBe(404);
  expect((await server.api("DELETE", `/runners/${id}`, { token: eve.token })).status).toBe(404);
  expect((await server.api("DELETE", `/runners/${id}`)).status).toBe(401);
  expect((await server.api("DELETE", `/runners/${id}`, { token: ada.token })).status).toBe(204);
  expect(await listed()).toEqual([[], "0"]);
});

test("a connected runner: seen, changed, drained, resumed, removed", async () => {
  const { id, credential, connect_url: url } = await registered();
  const runner = new ProtocolRunner({ url, ca: server.ca, credential, capacity: 8, labels: ["own"] });
  await runner.hello();
  const get = async () => (await server.api("GET", `/runners/${id}`, { token: admin.token })).json;
  expect(await get()).toMatchObject({
    status: "online",
    labels: ["own"],
    capacity: 8,
    version: "0.0.0-test",
    os: "linux",
  });
  const call = (method: string, path: string, body?: object) =>
    server.api(method, `/runners/${id}${path}`, { token: admin.token, ...(body && { body }) });

  const patched = await call("PATCH", "", { name: "renamed", labels: ["gpu=t4"], capacity: 2, paused: true });
  expect(patched.json).toMatchObject({ name: "renamed", labels: ["gpu=t4"], capacity: 2, status: "paused" });
  expect((await call("PATCH", "", { colour: "red" })).status).toBe(422);
  const claimed = await call("PATCH", "", { labels: ["linux", "executor=process"] });
  expect([claimed.status, claimed.json.errors[0].field]).toEqual([422, "labels"]);
  expect((await get()).labels).toEqual(["gpu=t4"]);
  expect((await call("POST", "/drain")).json).toMatchObject({ status: "draining", draining: true });
  expect(await runner.take("drain", (drain) => drain.draining)).toMatchObject({ deadlineMs: null });
  expect((await call("POST", "/drain", { within_minutes: 0 })).status).toBe(422);
  const drained = (await call("POST", "/drain", { within_minutes: 30 })).json as Runner;
  const leftMs = Date.parse(drained.drain_deadline ?? "") - Date.now();
  expect(leftMs / 60_000).toBeCloseTo(30, 0);
  const told = await runner.take("drain", ({ deadlineMs }) => deadlineMs !== null);
  expect((told.deadlineMs ?? 0) / 60_000).toBeCloseTo(30, 0);
  expect((await call("POST", "/resume")).json).toMatchObject({
    status: "online",
    paused: false,
    draining: false,
    drain_deadline: null,
  });
  await runner.take("drain", (drain) => !drain.draining);

  expect((await call("DELETE", "")).status).toBe(204);
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4403 });
  expect((await call("GET", "")).status).toBe(404);
  expect((await call("DELETE", "")).status).toBe(404);
  expect(await auditActions(id)).toEqual([
    "runner.register",
    "runner.update",
    "runner.drain",
    "runner.drain",
    "runner.resume",
    "runner.delete",
  ]);
});

test("removal reaches a connection on another server", async () => {
  const beside = await startApiServer({ beside: server });
  const { id, credential } = await registered();
  const url = `wss://localhost:${beside.httpsPort}/api/v1/runners/connect`;
  const runner = new ProtocolRunner({ url, ca: beside.ca, credential });
  await runner.hello();
  expect((await server.api("DELETE", `/runners/${id}`, { token: admin.token })).status).toBe(204);
  expect(await eventually(() => runner.closed)).toMatchObject({ code: 4403 });
  await beside.stop();
});

test("what an administrator set outlives a reconnect; null gives the word back to the runner", async () => {
  const { id, credential, connect_url: url } = await registered();
  const patch = (body: object) => server.api("PATCH", `/runners/${id}`, { token: admin.token, body });
  await patch({ labels: ["set"], capacity: 1 });
  const connect = async () => {
    const runner = new ProtocolRunner({
      url,
      ca: server.ca,
      credential,
      capacity: 4,
      labels: ["own"],
      instanceId: "same",
    });
    await runner.hello();
    const { labels, capacity } = (await server.api("GET", `/runners/${id}`, { token: admin.token })).json;
    runner.vanish();
    return { labels, capacity };
  };
  expect(await connect()).toEqual({ labels: ["set"], capacity: 1 });
  await patch({ labels: null, capacity: null });
  expect(await connect()).toEqual({ labels: ["own"], capacity: 4 });
});
