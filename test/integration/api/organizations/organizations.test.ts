import { afterAll, beforeAll, expect, test } from "vitest";
import { insertRepository } from "@forgeline/server/domains/hosting/repositories/repositories.store.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

const api = (method: string, path: string, token?: string, body?: unknown) =>
  server.api(method, path, { ...(token === undefined ? {} : { token }), body });

async function audited(targetId: string): Promise<string[]> {
  const rows = await server.container.platform.db.query<{ action: string }>(
    "select action from audit_log where target_id = $1 order by seq",
    [targetId],
  );
  return rows.map((row) => row.action);
}

test("creates, shows, changes and deletes an organization", async () => {
  const ada = await server.person("ada");
  const made = await api("POST", "/orgs", ada.token, { name: "Acme", display_name: "Acme Inc." });
  expect(made).toMatchObject({
    status: 201,
    json: { name: "Acme", display_name: "Acme Inc.", description: "", plan: "enterprise" },
  });
  expect(made.headers.location).toBe(made.json.url);
  expect((await api("GET", "/orgs/acme")).json).toEqual(made.json);
  const owner = { name: "Acme", type: "organization", user: null, organization: made.json };
  expect((await api("GET", "/owners/acme")).json).toEqual(owner);
  expect((await api("GET", "/owners/nobody-here")).status).toBe(404);
  expect((await api("GET", "/user/orgs", ada.token)).json).toEqual([{ ...made.json, role: "owner" }]);
  const changed = await api("PATCH", "/orgs/acme", ada.token, { description: "Anvils" });
  expect(changed.json).toMatchObject({ display_name: "Acme Inc.", description: "Anvils" });
  expect((await api("DELETE", "/orgs/acme", ada.token)).status).toBe(204);
  expect((await api("GET", "/orgs/acme")).status).toBe(404);
  expect(await audited(made.json.id)).toEqual(["org.create", "org.settings_change", "org.delete"]);
  // The name is free again, for a person too.
  expect((await api("POST", "/orgs", ada.token, { name: "ACME" })).status).toBe(201);
});

test("names are shared with users, whatever their case, and some are reserved", async () => {
  const bob = await server.person("bob");
  for (const name of ["bob", "BOB"])
    expect((await api("POST", "/orgs", bob.token, { name })).status).toBe(409);
  for (const name of ["api", "Settings", "x.git", "a/b", "-x", ""]) {
    const refused = await api("POST", "/orgs", bob.token, { name });
    expect([name, refused.status, refused.json.errors?.[0]?.field]).toEqual([name, 422, "name"]);
  }
  const odd = await api("POST", "/orgs", bob.token, { name: "odd", display_name: "a\u202eb", plan: "free" });
  expect(odd.json.errors.map((e: { field: string }) => e.field).sort()).toEqual(["display_name", "plan"]);
});

test("owners can keep the creation of repositories to themselves", async () => {
  const [ola, mia] = [await server.person("ola"), await server.person("mia")];
  const made = await api("POST", "/orgs", ola.token, { name: "strict" });
  await api("PUT", "/orgs/strict/members/mia", ola.token, { role: "member" });
  const create = (token: string, name: string) => api("POST", "/repos", token, { name, owner: "strict" });
  expect(made.json.members_can_create_repositories).toBe(true);
  expect((await create(mia.token, "before")).status).toBe(201);
  const forbidden = { members_can_create_repositories: false };
  expect((await api("PATCH", "/orgs/strict", mia.token, forbidden)).status).toBe(403);
  expect((await api("PATCH", "/orgs/strict", ola.token, forbidden)).json).toMatchObject(forbidden);
  await api("PATCH", "/orgs/strict", ola.token, { description: "kept" });
  const refused = await create(mia.token, "after");
  expect([refused.status, refused.json.errors[0].field]).toEqual([422, "owner"]);
  expect((await api("GET", "/repos/strict/after", ola.token)).status).toBe(404);
  expect((await create(ola.token, "after")).status).toBe(201);
  // What is there already stays with who made it, and the own account is no matter of the organization.
  expect((await api("GET", "/repos/strict/before", mia.token)).json.permissions).toBe("admin");
  expect((await api("POST", "/repos", mia.token, { name: "own" })).status).toBe(201);
  const given = await api("POST", "/repos/mia/own/transfer", mia.token, { new_owner: "strict" });
  expect((await api("POST", "/repos/mia/own/transfer/accept", mia.token)).status).toBe(404);
  expect(given.json.status).toBe("pending");
  expect(
    (await api("PATCH", "/orgs/strict", ola.token, { members_can_create_repositories: "no" })).status,
  ).toBe(422);
  await api("PATCH", "/orgs/strict", ola.token, { members_can_create_repositories: true });
  expect((await create(mia.token, "again")).status).toBe(201);
  expect((await audited(made.json.id)).filter((kind) => kind === "org.settings_change")).toHaveLength(3);
});

test("strangers see the organization itself; the rest is as if it were not there", async () => {
  const cy = await server.person("cy");
  const eve = await server.person("eve");
  await api("POST", "/orgs", cy.token, { name: "cyco" });
  expect((await api("GET", "/orgs/cyco", eve.token)).status).toBe(200);
  for (const [method, path, body] of [
    ["GET", "members"],
    ["GET", "members/cy"],
    ["PUT", "members/eve", { role: "owner" }],
    ["DELETE", "members/cy"],
    ["GET", "invitations"],
    ["POST", "invitations", { username: "eve" }],
  ] as const) {
    const hidden = await api(method, `/orgs/cyco/${path}`, eve.token, body);
    const absent = await api(method, `/orgs/nobody/${path}`, eve.token, body);
    expect([path, hidden.status, hidden.text]).toEqual([path, 404, absent.text]);
    expect((await api(method, `/orgs/cyco/${path}`, undefined, body)).status).toBe(401);
  }
  expect((await api("PATCH", "/orgs/cyco", eve.token, { description: "mine" })).status).toBe(404);
  expect((await api("DELETE", "/orgs/cyco", eve.token)).status).toBe(404);
});

test("deletion waits until there is no repository; the list shows what each caller sees, counted alike", async () => {
  const dan = await server.person("dan");
  const fay = await server.person("fay");
  const gus = await server.person("gus");
  const { json: org } = await api("POST", "/orgs", dan.token, { name: "danco" });
  await api("PUT", "/orgs/danco/members/fay", dan.token, { role: "member" });
  for (const visibility of ["private", "public", "internal"] as const) {
    const id = newId("repo");
    const row = { id, ownerId: org.id, name: visibility, description: "", defaultBranch: "main" };
    await insertRepository(server.container.platform.db, { ...row, visibility: "private" });
    await server.container.platform.db.query("update repositories set visibility = $2 where id = $1", [
      id,
      visibility,
    ]);
  }
  const listed = async (token?: string) => {
    const answer = await api("GET", "/orgs/danco/repos?per_page=10", token);
    const shown = answer.json.map((r: { name: string; permissions: string }) => `${r.name} ${r.permissions}`);
    expect(answer.headers["x-total-count"]).toBe(String(shown.length));
    return shown;
  };
  expect(await listed(dan.token)).toEqual(["internal admin", "private admin", "public admin"]);
  expect(await listed(fay.token)).toEqual(["internal read", "public read"]);
  expect(await listed(gus.token)).toEqual(["public read"]);
  expect(await listed()).toEqual(["public read"]);
  expect(await listed(await server.tokenFor(dan, ["org:admin"]))).toEqual(["public read"]);
  const limited = await server.tokenFor(dan, ["repo:admin"]);
  await server.container.platform.db.query(
    `update access_tokens set repository_ids = array(select id from repositories where name = 'private')
     where id = (select id from access_tokens where user_id = $1 order by id desc limit 1)`,
    [dan.id],
  );
  expect(await listed(limited)).toEqual(["private admin", "public read"]);
  expect((await api("DELETE", "/orgs/danco", dan.token)).status).toBe(409);
  expect((await api("GET", "/orgs/danco")).status).toBe(200);
});
