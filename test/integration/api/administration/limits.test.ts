/** Custom limits of enterprise organizations: who gets them, in all servers together, and when they end. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let beside: ApiServer;
let root: TestPerson;
const env = { FORGELINE_LIMIT_CORE: "20", FORGELINE_LIMIT_SEARCH: "30" };
beforeAll(async () => {
  server = await startApiServer({ env });
  beside = await startApiServer({ env, beside: server });
  root = await server.person("root", { isAdmin: true });
  await limitUser("root", { core: 1_000_000 });
});
afterAll(async () => {
  await beside?.stop();
  await server?.stop();
});
beforeEach(async () => {
  await server.container.platform.db.query("delete from rate_limit_windows where subject <> $1", [
    `user:${root.id}`,
  ]);
});

const api = (method: string, path: string, token: string, body?: unknown) =>
  server.api(method, path, { token, body });
const limitUser = (name: string, body: unknown) =>
  api("PUT", `/admin/users/${name}/limits`, root.token, body);
const limitOrganization = (name: string, body: unknown) =>
  api("PUT", `/admin/organizations/${name}/limits`, root.token, body);

/** The limit of `core` as the caller is told it, at no cost. */
async function coreLimit(token: string): Promise<number> {
  const { resources } = (await api("GET", "/rate_limit", token)).json;
  return resources.find((one: { resource: string }) => one.resource === "core").limit;
}

async function organization(name: string, members: readonly TestPerson[]): Promise<string> {
  const { id } = (await api("POST", "/orgs", root.token, { name })).json;
  for (const { username } of members)
    await api("PUT", `/orgs/${name}/members/${username}`, root.token, { role: "member" });
  return id;
}

it("a member has what the organization gives, in all servers together, and only for themselves", async () => {
  const [ada, ben, eve] = [
    await server.person("ada"),
    await server.person("ben"),
    await server.person("eve"),
  ];
  const id = await organization("acme", [ada, ben]);
  const set = await limitOrganization("ACME", { core: 30, git: 7 });
  expect(set.status).toBe(200);
  expect(set.json.limits.find((one: { resource: string }) => one.resource === "core")).toEqual({
    resource: "core",
    limit: 30,
    window_seconds: 3600,
    custom: true,
  });
  expect((await api("GET", "/admin/organizations/acme/limits", root.token)).json).toEqual(set.json);
  for (const [person, limit] of [
    [ada, 30],
    [ben, 30],
    [eve, 20],
  ] as const) {
    let given = 0;
    for (let i = 0; i < limit + 4; i++)
      if ((await (i % 2 ? server : beside).api("GET", "/user", { token: person.token })).status === 200)
        given += 1;
    expect([person.username, given]).toEqual([person.username, limit]);
    expect([person.username, await coreLimit(person.token)]).toEqual([person.username, limit]);
  }
  const recorded = await server.container.platform.db.query(
    "select organization_id, target_name, details from audit_log where action = 'admin.limits_change' and target_id = $1",
    [id],
  );
  expect(recorded).toEqual([
    {
      organization_id: id,
      target_name: "acme",
      details: { old_limits: {}, limits: { core: 30, git: 7 } },
    },
  ]);
});

it("of several limits the highest counts, and it ends with the membership, the plan or the limit", async () => {
  const kim = await server.person("kim");
  for (const [name, core] of [
    ["low", 25],
    ["high", 50],
  ] as const) {
    await organization(name, [kim]);
    await limitOrganization(name, { core });
  }
  expect(await coreLimit(kim.token)).toBe(50);
  await limitUser("kim", { core: 60 });
  expect(await coreLimit(kim.token)).toBe(60);
  await limitUser("kim", { core: 5 });
  expect(await coreLimit(kim.token)).toBe(50);
  await api("PUT", "/admin/organizations/high/plan", root.token, { plan: "free" });
  expect(await coreLimit(kim.token)).toBe(25);
  expect((await limitOrganization("high", { core: 70 })).json.error).toBe("conflict");
  const shown = (await api("GET", "/admin/organizations/high/limits", root.token)).json.limits;
  expect(shown.filter((one: { custom: boolean }) => one.custom)).toEqual([]);
  await api("PUT", "/admin/organizations/high/plan", root.token, { plan: "enterprise" });
  expect(await coreLimit(kim.token)).toBe(50);
  await api("DELETE", "/orgs/high/members/kim", root.token);
  expect(await coreLimit(kim.token)).toBe(25);
  expect((await limitOrganization("low", {})).status).toBe(200);
  expect(await coreLimit(kim.token)).toBe(5);
});

it("bots have the limits of their organization, and jobs those of who owns their repository", async () => {
  const id = await organization("robots", []);
  await limitOrganization("robots", { core: 40 });
  await api("POST", "/orgs/robots/bots", root.token, { name: "hal", scopes: ["repo:read"] });
  const made = await api("POST", "/orgs/robots/bots/hal/tokens", root.token, {
    name: "x",
    scopes: ["repo:read"],
  });
  expect(await coreLimit(made.json.token)).toBe(40);
  const repository = (await api("POST", "/repos", root.token, { name: "tree", owner: "robots" })).json.id;
  const taken = await server.container.operation.rateLimits.take("core", {
    key: `job:${repository}`,
    kind: "user",
    accountId: repository,
  });
  expect([id.slice(0, 4), taken?.status.limit]).toEqual(["org_", 40]);
});

it("is for administrators, for organizations that there are, and for numbers", async () => {
  const lou = await server.person("lou");
  await organization("solid", [lou]);
  const path = "/admin/organizations/solid/limits";
  expect((await api("PUT", path, lou.token, { core: 9 })).status).toBe(403);
  expect((await api("GET", path, lou.token)).status).toBe(403);
  const narrow = await server.tokenFor(root, ["repo:admin"]);
  expect((await api("PUT", path, narrow, { core: 9 })).json.required_scopes).toEqual(["org:admin"]);
  expect((await limitOrganization("nobody", { core: 9 })).status).toBe(404);
  expect((await limitOrganization("lou", { core: 9 })).status).toBe(404);
  for (const body of [{ core: 0 }, { core: "9" }, { auth: 9 }, { core: 1e12 }])
    expect((await limitOrganization("solid", body)).status).toBe(422);
});
