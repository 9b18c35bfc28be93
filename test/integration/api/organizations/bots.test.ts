import { afterAll, beforeAll, expect, test } from "vitest";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { insertRepository } from "@forgeline/server/domains/hosting/repositories/repositories.store.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let other: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
let organizationId: string;
beforeAll(async () => {
  server = await startApiServer();
  other = await startApiServer({ beside: server });
  [ada, ben] = [await server.person("ada"), await server.person("ben")];
  organizationId = (await api("POST", "/orgs", ada.token, { name: "acme" })).json.id;
  await api("PUT", "/orgs/acme/members/ben", ada.token, {});
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const api = (method: string, path: string, token?: string, body?: unknown, at = server) =>
  at.api(method, path, { ...(token === undefined ? {} : { token }), body });

async function newBot(name: string, wanted: readonly string[] = scopes): Promise<string> {
  const made = await api("POST", "/orgs/acme/bots", ada.token, { name, scopes: wanted });
  expect(made.status).toBe(201);
  return made.json.id;
}

async function newToken(bot: string, wanted: readonly string[]): Promise<{ id: string; token: string }> {
  const body = { name: "t", scopes: wanted };
  const made = await api("POST", `/orgs/acme/bots/${bot}/tokens`, ada.token, body);
  expect(made.status).toBe(201);
  return made.json;
}

test("owners make, see, change and delete bots; nobody else does", async () => {
  const body = { name: "ci", display_name: "CI", scopes: ["repo:read", "repo:read"] };
  const made = await api("POST", "/orgs/acme/bots", ada.token, body);
  expect(made).toMatchObject({
    status: 201,
    json: { username: "acme/ci", name: "ci", type: "bot", scopes: ["repo:read"], suspended: false },
  });
  expect(made.headers.location).toBe(made.json.url);
  expect((await api("GET", "/orgs/acme/bots/CI", ada.token)).json).toEqual(made.json);
  expect((await api("POST", "/orgs/acme/bots", ada.token, { ...body, name: "CI" })).status).toBe(409);
  expect((await api("POST", "/orgs/acme/bots", ada.token, { ...body, name: "a/b" })).status).toBe(422);
  const { json: ci } = await api("GET", "/users/acme%2Fci");
  expect(ci).toMatchObject({ username: "acme/ci", type: "bot" });
  expect((await api("GET", "/owners/acme%2Fci")).json).toMatchObject({ type: "user", user: ci });
  for (const [method, path] of [
    ["GET", ""],
    ["GET", "/ci"],
    ["DELETE", "/ci"],
    ["GET", "/ci/tokens"],
  ] as const)
    expect((await api(method, `/orgs/acme/bots${path}`, ben.token)).status).toBe(403);
  const narrow = await server.tokenFor(ada, ["org:admin", "repo:read"]);
  const wide = await api("POST", "/orgs/acme/bots", narrow, { name: "wide", scopes: ["repo:admin"] });
  expect([wide.status, wide.json.required_scopes]).toEqual([403, ["repo:admin"]]);
  const members = await api("GET", "/orgs/acme/members", ada.token);
  expect(members.json.map((m: { user: { username: string } }) => m.user.username)).toEqual(["ada", "ben"]);
  expect((await api("PUT", "/orgs/acme/members/acme%2Fci", ada.token, {})).status).toBe(422);
  expect((await api("DELETE", "/orgs/acme/bots/ci", ada.token)).status).toBe(204);
  expect((await api("GET", "/orgs/acme/bots", ada.token)).json).toEqual([]);
  for (const name of ["acme%2Fci", made.json.id])
    expect((await api("GET", `/users/${name}`)).status).toBe(404);
  await newBot("ci");
});

test("a bot acts as itself, through its teams, and is nobody's person", async () => {
  const id = await newBot("worker");
  const { token } = await newToken("worker", scopes);
  expect(token).toMatch(/^svc_bot_/);
  const self = await api("GET", "/user", token);
  expect(self).toMatchObject({ status: 200, json: { id, username: "acme/worker", type: "bot", email: "" } });
  expect((await api("GET", "/user/orgs", token)).json).toMatchObject([{ name: "acme", role: "member" }]);
  const repository = { id: newId("repo"), ownerId: organizationId, name: "r", description: "" };
  await insertRepository(server.container.platform.db, {
    ...repository,
    defaultBranch: "main",
    visibility: "private",
  });
  expect((await api("GET", "/repos/acme/r", token)).status).toBe(404);
  await api("POST", "/orgs/acme/teams", ada.token, { name: "bots" });
  await api("PUT", "/orgs/acme/teams/bots/repos/r", ada.token, { permission: "write" });
  const joined = await api("PUT", "/orgs/acme/teams/bots/members/acme%2Fworker", ada.token, {
    role: "maintainer",
  });
  expect(joined).toMatchObject({ status: 200, json: { user: { username: "acme/worker" } } });
  expect((await api("GET", "/repos/acme/r", token)).json.permissions).toBe("write");
  expect((await api("GET", "/orgs/acme/teams/bots/members", token)).json).toHaveLength(1);
  for (const [method, path, body] of [
    ["POST", "/user/tokens", { name: "mine", scopes: ["repo:read"] }],
    ["POST", "/user/keys", { key: "ssh-ed25519 AAAA" }],
    ["PATCH", "/user", { name: "x" }],
    ["POST", "/orgs", { name: "botco" }],
    ["POST", "/repos", { name: "own" }],
    ["PATCH", "/orgs/acme", { description: "x" }],
    ["POST", "/orgs/acme/bots", { name: "child", scopes: ["repo:read"] }],
  ] as const)
    expect([path, (await api(method, path, token, body)).status]).toEqual([path, 403]);
  await api("PATCH", "/orgs/acme/teams/bots", token, { description: "by a bot" });
  const recorded = await server.container.platform.db.one(
    "select actor_id, actor_username from audit_log where actor_id = $1 limit 1",
    [id],
  );
  expect(recorded).toEqual({ actor_id: id, actor_username: "acme/worker" });
});

test("a bot's token never has more than the bot, also when the bot gets less afterwards", async () => {
  await newBot("limited", ["repo:write", "user:read"]);
  const create = (wanted: readonly string[]) =>
    api("POST", "/orgs/acme/bots/limited/tokens", ada.token, { name: "t", scopes: wanted });
  const beyond = await create(["repo:read", "org:read"]);
  expect([beyond.status, beyond.json.errors[0].field]).toEqual([422, "scopes"]);
  const { token } = await newToken("limited", ["repo:write", "user:read"]);
  expect((await api("GET", "/user", token)).status).toBe(200);
  const narrowed = await api("PATCH", "/orgs/acme/bots/limited", ada.token, { scopes: ["repo:read"] });
  expect(narrowed.json.scopes).toEqual(["repo:read"]);
  for (const at of [server, other]) {
    const refused = await api("GET", "/user", token, undefined, at);
    expect([refused.status, refused.json.required_scopes]).toEqual([403, ["user:read"]]);
    expect((await api("GET", "/user/repos", token, undefined, at)).status).toBe(200);
  }
});

test("tokens are listed without their value, and end at once: revoked, suspended, deleted, on every server", async () => {
  const admin = await server.person("root", { isAdmin: true });
  await newBot("mortal");
  const [one, two] = [await newToken("mortal", ["user:read"]), await newToken("mortal", ["user:read"])];
  const statuses = async (token: string) =>
    Promise.all([server, other].map(async (at) => (await api("GET", "/user", token, undefined, at)).status));
  expect(await statuses(one.token)).toEqual([200, 200]);
  expect(await statuses(two.token)).toEqual([200, 200]);
  const listed = await api("GET", "/orgs/acme/bots/mortal/tokens", ada.token);
  expect(listed.json.map((t: { id: string }) => t.id)).toEqual([two.id, one.id]);
  expect(listed.text).not.toContain("svc_bot_");
  const path = `/orgs/acme/bots/mortal/tokens/${one.id}`;
  expect((await api("GET", path, ada.token)).json).toEqual(listed.json[1]);
  expect((await api("DELETE", `/orgs/acme/bots/ci/tokens/${one.id}`, ada.token)).status).toBe(404);
  expect((await api("DELETE", path, ada.token)).status).toBe(204);
  expect((await api("DELETE", path, ada.token)).status).toBe(404);
  const expectSoon = async (token: string, wanted: number) => {
    await expect.poll(() => statuses(token), { timeout: 5_000, interval: 50 }).toEqual([wanted, wanted]);
  };
  await expectSoon(one.token, 401);
  const suspension = "/admin/users/acme%2Fmortal/suspension";
  expect((await api("PUT", suspension, admin.token)).status).toBe(204);
  await expectSoon(two.token, 401);
  expect((await api("GET", "/orgs/acme/bots/mortal", ada.token)).json.suspended).toBe(true);
  await api("DELETE", suspension, admin.token);
  await expectSoon(two.token, 200);
  expect((await api("DELETE", "/orgs/acme/bots/mortal", ada.token)).status).toBe(204);
  await expectSoon(two.token, 401);
});

test("an organization takes its bots along", async () => {
  await api("POST", "/orgs", ada.token, { name: "brief" });
  await api("POST", "/orgs/brief/bots", ada.token, { name: "b", scopes: ["user:read"] });
  const body = { name: "t", scopes: ["user:read"] };
  const { json } = await api("POST", "/orgs/brief/bots/b/tokens", ada.token, body);
  expect((await api("GET", "/user", json.token)).status).toBe(200);
  expect((await api("DELETE", "/orgs/brief", ada.token)).status).toBe(204);
  expect((await api("GET", "/user", json.token)).status).toBe(401);
  expect((await api("GET", "/users/brief%2Fb")).status).toBe(404);
});
