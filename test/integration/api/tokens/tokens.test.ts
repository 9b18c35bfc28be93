import { afterAll, beforeAll, expect, test } from "vitest";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let other: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
  // What it has read of a token it believes until it hears otherwise.
  other = await startApiServer({ beside: server, periods: { tokenCacheMs: 3_600_000 } });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

test("creates a token that works, shows its value once and stores only a hash", async () => {
  const ada = await server.person("ada");
  const created = await server.api("POST", "/user/tokens", {
    token: ada.token,
    body: { name: "laptop", scopes: ["user:read"], expires_in_days: 30 },
  });
  expect(created.status).toBe(201);
  expect(created.headers.location).toBe(created.json.url);
  expect(created.json.token).toMatch(/^svc_pat_[A-Za-z0-9_-]{51}$/);
  expect((await server.api("GET", "/user", { token: created.json.token })).json.username).toBe("ada");

  const list = await server.api("GET", "/user/tokens", { token: ada.token });
  expect(list.json.map((t: { name: string }) => t.name)).toEqual(["laptop", "test"]);
  expect(list.text).not.toContain("svc_pat_");
  const rows = await server.container.platform.db.query("select t::text as row from access_tokens t");
  expect(JSON.stringify(rows)).not.toContain(created.json.token);
  const audit = await server.container.platform.db.one<{ n: number }>(
    "select count(*) as n from audit_log where action = 'auth.token_create' and target_id = $1 and actor_username = 'ada'",
    [created.json.id],
  );
  expect(audit?.n).toBe(1);
});

test("a token creates only subsets of itself", async () => {
  const bob = await server.person("bob", { scopes: ["user:write", "repo:write"] });
  const ask = (scopes: string[]) =>
    server.api("POST", "/user/tokens", { token: bob.token, body: { name: "x", scopes } });
  expect((await ask(["repo:read", "user:read"])).status).toBe(201);
  const wider = await ask(["repo:admin", "org:read", "repo:read"]);
  expect(wider.status).toBe(403);
  expect(wider.json.required_scopes).toEqual(["repo:admin", "org:read"]);
});

test("a token that ended while it made another one makes none", async () => {
  const { db } = server.container.platform;
  const { tokens } = server.container.accounts;
  const { id: userId, username } = await server.person("nia");
  const [row] = await db.query<{ id: string }>("select id from access_tokens where user_id = $1", [userId]);
  const tokenId = row?.id ?? "";
  const actor = { ...systemActor, kind: "user", userId, username, tokenId, scopes: ["user:write"] } as const;
  const make = () => tokens.create(actor, { name: "late", scopes: ["user:read"], expiresInDays: 1 });
  expect((await make()).token).toMatch(/^svc_pat_/);
  for (const end of ["revoked_at = now()", "revoked_at = null, expires_at = now()"]) {
    await db.query(`update access_tokens set ${end} where id = $1`, [tokenId]);
    await expect(make()).rejects.toMatchObject({ code: "unauthorized" });
  }
});

test("tells every problem of a body at once", async () => {
  const kim = await server.person("kim");
  const answer = await server.api("POST", "/user/tokens", {
    token: kim.token,
    body: { name: "", scopes: ["root"], expires_in_days: 400, colour: "red" },
  });
  expect(answer.status).toBe(422);
  expect(answer.json.errors.map((e: { field: string; code: string }) => [e.field, e.code]).sort()).toEqual([
    ["colour", "unknown_field"],
    ["expires_in_days", "too_large"],
    ["name", "too_short"],
    ["scopes.0", "not_allowed"],
  ]);
});

test("a revoked token stops working at once here, and on the other server as soon as the news is there", async () => {
  const eve = await server.person("eve");
  const created = await server.api("POST", "/user/tokens", {
    token: eve.token,
    body: { name: "x", scopes: ["user:read"] },
  });
  for (const s of [server, other])
    expect((await s.api("GET", "/user", { token: created.json.token })).status).toBe(200);
  expect((await server.api("DELETE", `/user/tokens/${created.json.id}`, { token: eve.token })).status).toBe(
    204,
  );
  expect((await server.api("GET", "/user", { token: created.json.token })).status).toBe(401);
  await eventually(
    async () => (await other.api("GET", "/user", { token: created.json.token })).status === 401,
  );
  const path = `/user/tokens/${created.json.id}`;
  for (const method of ["GET", "DELETE"])
    expect((await server.api(method, path, { token: eve.token })).status).toBe(404);
  const left = await server.api("GET", "/user/tokens", { token: eve.token });
  expect([left.json.length, left.headers["x-total-count"]]).toEqual([1, "1"]);
});

test("another user's token cannot be revoked, and is not told from an absent one", async () => {
  const mallory = await server.person("mallory");
  const victim = await server.person("victim");
  const own = await server.api("GET", "/user/tokens", { token: victim.token });
  const theirs = await server.api("DELETE", `/user/tokens/${own.json[0].id}`, { token: mallory.token });
  const absent = await server.api("DELETE", "/user/tokens/tok_01jbcdefghjkmnpqrstvwxyz00", {
    token: mallory.token,
  });
  expect(theirs.status).toBe(404);
  expect(theirs.text).toBe(absent.text);
});

test("expired tokens and those of suspended users are refused", async () => {
  const joe = await server.person("joe");
  await server.container.platform.db.query(
    "update access_tokens set expires_at = now() - interval '1 second' where user_id = $1",
    [joe.id],
  );
  expect((await server.api("GET", "/user", { token: joe.token })).status).toBe(401);
  const sue = await server.person("sue");
  await server.container.platform.db.query("update users set suspended = true where id = $1", [sue.id]);
  expect((await server.api("GET", "/user", { token: sue.token })).status).toBe(401);
});

test("notes when a token was last used", async () => {
  const lea = await server.person("lea");
  await server.api("GET", "/user", { token: lea.token });
  await eventually(async () => {
    const list = await server.api("GET", "/user/tokens", { token: lea.token });
    return list.json[0].last_used_at !== null;
  });
});
