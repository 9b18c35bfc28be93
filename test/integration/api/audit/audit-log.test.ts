/** Reading the audit log: whose entries are where, what the filters find, who may look. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordAudit } from "@forgeline/server/domains/operation/audit/record.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { makeOrganization, recordChanges, type TestOrganization } from "./fixture.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let acme: TestOrganization;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  bob = await server.person("bob");
  acme = await makeOrganization(server, "acme", { owner: ada, member: bob });
});
afterAll(() => server.stop());

const log = (query = "", org = "acme", token = ada.token) =>
  server.api("GET", `/orgs/${org}/audit-log${query}`, { token });
const actions = async (query: string, org = "acme") =>
  ((await log(query, org)).json as { action: string }[]).map((entry) => entry.action);

async function record(action: "repo.create" | "org.team_create", type: string, name: string): Promise<void> {
  const entry = { action, target: { type, id: `none_${name}`, name }, details: { hint: `50%_${name}` } };
  await server.container.platform.db.transaction((tx) =>
    recordAudit(tx, { ...systemActor, username: "Zoë" }, entry),
  );
}

describe("whose entries are where", () => {
  it("shows what was done to the organization, as the specification's record, in a chain of its own", async () => {
    await recordChanges(server, acme, 1);
    const [entry] = (await log("?action=org.settings_change")).json;
    expect(entry).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-hjkmnp-tv-z]{26}$/),
      seq: expect.any(Number),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: { id: null, username: "system", ip_address: null },
      action: "org.settings_change",
      target: { type: "organization", id: acme.id, name: "acme" },
      details: { number: 1 },
      user_agent: null,
      geo: null,
      request_id: null,
    });
  });

  it("shows a member's own doings as kind, time and actor, and all of them to the instance", async () => {
    const made = await server.api("POST", "/user/tokens", {
      token: bob.token,
      body: { name: "laptop", scopes: ["repo:read"] },
      headers: { "User-Agent": "agent/1" },
    });
    const [shown] = (await log("?action=auth.token_create")).json;
    expect(shown).toMatchObject({
      actor: { id: bob.id, username: "bob", ip_address: null },
      target: { type: "user", id: bob.id, name: "bob" },
      details: {},
      user_agent: null,
      request_id: null,
    });
    expect(JSON.stringify(shown)).not.toContain("laptop");
    await server.api("POST", "/user/oauth-apps", {
      token: bob.token,
      body: { name: "hobby", redirect_uris: ["https://client.example/cb"], scopes: ["repo:read"] },
    });
    const apps = await log("?action=oauth.*");
    expect(apps.json).toMatchObject([
      { action: "oauth.app_create", actor: { id: bob.id }, target: { id: bob.id }, details: {} },
    ]);
    expect(apps.text).not.toContain("hobby");
    const admin = await server.person("root", { isAdmin: true });
    const whole = await server.api("GET", "/admin/audit-log?action=auth.token_create&actor=BOB&q=LAPtop", {
      token: admin.token,
    });
    expect(whole.json).toHaveLength(1);
    expect(whole.json[0]).toMatchObject({
      actor: { id: bob.id, ip_address: "127.0.0.1" },
      target: { type: "access_token", id: made.json.id, name: "laptop" },
      user_agent: "agent/1",
      request_id: made.headers["x-request-id"],
      timestamp: shown.timestamp,
    });
    expect(whole.json[0].id).not.toBe(shown.id);
    const instance = await server.api("GET", "/admin/audit-log?action=org.*", { token: admin.token });
    expect(instance.json).toEqual([]);
  });

  it("shows nothing of what those do elsewhere who were put into it without being asked", async () => {
    const dora = await server.person("dora");
    const put = await server.api("PUT", "/orgs/acme/members/dora", {
      token: ada.token,
      body: { role: "member" },
    });
    expect(put.status).toBe(200);
    const make = (name: string) =>
      server.api("POST", "/user/tokens", { token: dora.token, body: { name, scopes: ["repo:read"] } });
    await make("own");
    expect((await log("?action=auth.token_create&actor=dora")).json).toEqual([]);
    expect((await log("?action=org.member_add&q=dora")).json).toHaveLength(1);
  });

  it("finds the organization by the target's row, by its name where that is gone, and by a bot that acts", async () => {
    await makeOrganization(server, "finder", { owner: ada });
    await record("repo.create", "repository", "Finder/gone");
    const { db } = server.container.platform;
    const botId = newId("usr");
    const found = await db.one<{ id: string }>("select id from owners where name = 'finder'");
    await db.query("insert into owners (id, name, kind) values ($1, 'finder/bot', 'user')", [botId]);
    await db.query(
      "insert into users (id, username, type, organization_id) values ($2, 'finder/bot', 'bot', $1)",
      [found?.id, botId],
    );
    const bot = { ...systemActor, kind: "bot", userId: botId, username: "finder/bot" } as const;
    await db.transaction((tx) =>
      recordAudit(tx, bot, {
        action: "auth.token_revoke",
        target: { type: "access_token", id: "", name: "" },
      }),
    );
    expect(await actions("", "finder")).toEqual(["auth.token_revoke", "repo.create"]);
  });
});

describe("filters", () => {
  beforeAll(async () => {
    await makeOrganization(server, "sieve", { owner: ada });
    for (const name of ["sieve/one", "sieve/two", "sieve/one/nested"]) {
      await record("repo.create", "repository", name);
      await record("org.team_create", "team", name);
    }
  });
  const names = async (query: string) =>
    ((await log(query, "sieve")).json as { target: { name: string } }[]).map((entry) => entry.target.name);

  it.each([
    ["?action=repo.create", ["sieve/one/nested", "sieve/two", "sieve/one"]],
    ["?action=repo.*&per_page=1&page=2", ["sieve/two"]],
    ["?action=rep.*", []],
    ["?target=repo:SIEVE/one", ["sieve/one"]],
    ["?target=team:sieve/one/nested", ["sieve/one/nested"]],
    ["?target=repo:sieve/none", []],
    ["?actor=zo%C3%AB&action=org.*", ["sieve/one/nested", "sieve/two", "sieve/one"]],
    ["?actor=ada", []],
    ["?q=%25_SIEVE/two", ["sieve/two", "sieve/two"]],
    ["?q=5_%25", []],
    ["?since=2999-01-01", []],
    ["?since=2999-01-01T00:00:00-23:00", []],
    ["?until=2020-01-01T00:00:00Z", []],
  ])("%s", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it("find what was done to each repository that had the name, while one that was deleted is still kept", async () => {
    await makeOrganization(server, "again", { owner: ada });
    const ids: string[] = [];
    for (const _ of ["first", "second"]) {
      const body = { owner: "again", name: "twice" };
      const made = await server.api("POST", "/repos", { token: ada.token, body });
      ids.push(made.json.id);
      await server.api("PATCH", "/repos/again/twice", { token: ada.token, body: { name: "renamed" } });
      await server.api("PATCH", "/repos/again/renamed", { token: ada.token, body: { name: "twice" } });
      if (ids.length === 1) await server.api("DELETE", "/repos/again/twice", { token: ada.token });
    }
    const { status, json } = await log("?target=repo:again/twice", "again");
    expect(status).toBe(200);
    const found = (json as { target: { id: string; name: string } }[]).map(({ target }) => target);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(ids));
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(["again/twice", "again/renamed"]));
  });

  it("take a day as all of it", async () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(await names(`?since=${today}&until=${today}`)).toHaveLength(6);
  });

  it.each([
    "?action=repo",
    "?action=*",
    "?target=repo:one",
    "?since=yesterday",
    "?since=0000-01-01",
    "?until=0000-01-01T00:00:00Z",
    "?q=",
    "?page=0",
    "?kind=x",
  ])("refuse %s, naming the parameter", async (query) => {
    const { status, json } = await log(query, "sieve");
    expect([status, json.errors[0].field]).toEqual([400, /\?(\w+)/.exec(query)?.[1]]);
  });

  it("say how many there are", async () => {
    const { headers } = await log("?action=repo.*&per_page=2", "sieve");
    expect(headers["x-total-count"]).toBe("3");
    expect(headers.link).toContain('rel="next"');
  });
});

describe("who may look", () => {
  it.each(["/orgs/acme/audit-log", "/orgs/acme/audit-log/verify"])(
    "%s: owners with audit:read",
    async (path) => {
      const eve = await server.person(`eve${path.length}`);
      const status = async (token?: string) =>
        (await server.api("GET", path, token === undefined ? {} : { token })).status;
      expect(await status(ada.token)).toBe(200);
      expect(await status(await server.tokenFor(ada, ["audit:read"]))).toBe(200);
      expect(await status(await server.tokenFor(ada, ["org:admin"]))).toBe(403);
      expect(await status(bob.token)).toBe(403);
      expect(await status(eve.token)).toBe(404);
      expect(await status()).toBe(401);
    },
  );

  it.each(["/admin/audit-log", "/admin/audit-log/verify"])("%s: administrators", async (path) => {
    expect((await server.api("GET", path, { token: ada.token })).status).toBe(403);
    expect((await server.api("GET", path)).status).toBe(401);
  });
});

it("gives hashes that anybody can compute as docs/audit.md says", async () => {
  const org = await makeOrganization(server, "proof", { owner: ada });
  await recordChanges(server, org, 3);
  await record("repo.create", "repository", 'proof/"quoted"\n\u{1f600}');
  let before: Buffer = Buffer.alloc(32);
  const entries = (await log("?per_page=100", "proof")).json.toReversed();
  for (const [index, entry] of entries.entries()) {
    const { actor, target } = entry;
    const text = postgresJson([
      org.id,
      index + 1,
      entry.id,
      entry.timestamp,
      actor.id,
      actor.username,
      actor.ip_address,
      entry.action,
      target.type,
      target.id,
      target.name,
      entry.details,
      entry.user_agent,
      entry.geo,
      entry.request_id,
    ]);
    before = createHash("sha256").update(before).update(text).digest();
    expect([entry.seq, entry.hash]).toEqual([index + 1, before.toString("hex")]);
  }
  expect(entries).toHaveLength(4);
});

/** JSON as PostgreSQL prints `jsonb`. */
function postgresJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(postgresJson).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const size = (key: string) => Buffer.byteLength(key);
  const members = Object.entries(value).sort(([a], [b]) => size(a) - size(b) || (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}: ${postgresJson(member)}`).join(", ")}}`;
}
