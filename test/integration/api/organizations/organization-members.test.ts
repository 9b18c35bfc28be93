import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
let eve: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  [ada, ben, eve] = [await server.person("ada"), await server.person("ben"), await server.person("eve")];
});
afterAll(() => server.stop());

const api = (method: string, path: string, token?: string, body?: unknown) =>
  server.api(method, path, { ...(token === undefined ? {} : { token }), body });

async function newOrganization(name: string): Promise<string> {
  const made = await api("POST", "/orgs", ada.token, { name });
  expect(made.status).toBe(201);
  return made.json.id;
}

const put = (org: string, who: string, role: string, by = ada) =>
  api("PUT", `/orgs/${org}/members/${who}`, by.token, { role });

async function roles(org: string): Promise<Record<string, string>> {
  const { json } = await api("GET", `/orgs/${org}/members`, ada.token);
  return Object.fromEntries(
    json.map((m: { user: { username: string }; role: string }) => [m.user.username, m.role]),
  );
}

test("owners add members and change roles; all is recorded", async () => {
  const id = await newOrganization("one");
  const added = await put("one", "ben", "member");
  expect(added).toMatchObject({
    status: 200,
    json: { role: "member", user: { username: "ben", email: null } },
  });
  expect((await put("one", "BEN", "member")).status).toBe(200);
  expect((await put("one", "eve", "member", ben)).status).toBe(403);
  expect((await put("one", "ben", "owner")).json.role).toBe("owner");
  expect((await put("one", "ada", "member", ben)).json.role).toBe("member");
  expect(await roles("one")).toEqual({ ada: "member", ben: "owner" });
  const owners = await api("GET", "/orgs/one/members?role=owner", ada.token);
  expect(owners.headers["x-total-count"]).toBe("1");
  expect((await put("one", "nobody", "member", ben)).status).toBe(404);
  expect((await put("one", "eve", "boss", ben)).json.errors[0].field).toBe("role");
  const recorded = await server.container.platform.db.query(
    `select action, actor_username as by, details->>'username' as whom from audit_log where target_id = $1 and action <> 'org.create' order by seq`,
    [id],
  );
  expect(recorded).toEqual([
    { action: "org.member_add", by: "ada", whom: "ben" },
    { action: "org.role_change", by: "ada", whom: "ben" },
    { action: "org.role_change", by: "ben", whom: "ada" },
  ]);
});

test("members leave, owners remove; a member removes nobody else", async () => {
  await newOrganization("two");
  await put("two", "ben", "member");
  await put("two", "eve", "member");
  expect((await api("DELETE", "/orgs/two/members/eve", ben.token)).status).toBe(403);
  expect((await api("DELETE", "/orgs/two/members/ben", ben.token)).status).toBe(204);
  expect((await api("GET", "/orgs/two/members", ben.token)).status).toBe(404);
  expect((await api("DELETE", "/orgs/two/members/eve", ada.token)).status).toBe(204);
  expect((await api("DELETE", "/orgs/two/members/eve", ada.token)).status).toBe(404);
  expect(await roles("two")).toEqual({ ada: "owner" });
});

test("the last owner stays, also when others are suspended", async () => {
  await newOrganization("three");
  const zoe = await server.person("zoe");
  const refused = async () => {
    expect((await put("three", "ada", "member")).status).toBe(409);
    expect((await api("DELETE", "/orgs/three/members/ada", ada.token)).status).toBe(409);
  };
  await refused();
  await put("three", "zoe", "owner");
  await server.container.platform.db.query("update users set suspended = true where id = $1", [zoe.id]);
  await refused();
  expect(await roles("three")).toEqual({ ada: "owner", zoe: "owner" });
});

test("who suspends the last owner who can act becomes an owner, also when two suspend at once", async () => {
  const [root, chief] = [
    await server.person("root", { isAdmin: true }),
    await server.person("chief", { isAdmin: true }),
  ];
  const [una, uwe] = [await server.person("una"), await server.person("uwe")];
  const suspend = (who: string, by: TestPerson, suspended = true) =>
    api("PATCH", `/admin/users/${who}`, by.token, { suspended });
  const owners = async (org: string) => {
    const rows = await server.container.platform.db.query<{ username: string }>(
      `select u.username from organization_members m join users u on u.id = m.user_id join owners o on o.id = m.organization_id
       where o.name = $1 and m.role = 'owner' and not u.suspended order by 1`,
      [org],
    );
    return rows.map(({ username }) => username);
  };
  for (const [org, others] of [
    ["alone", []],
    ["joined", [root]],
    ["both", [uwe]],
  ] as const) {
    await api("POST", "/orgs", una.token, { name: org });
    for (const other of others) await put(org, other.username, other === root ? "member" : "owner", una);
  }
  expect((await suspend("una", root)).status).toBe(200);
  expect([await owners("alone"), await owners("joined"), await owners("both")]).toEqual([
    ["root"],
    ["root"],
    ["uwe"],
  ]);
  const recorded = await server.container.platform.db.query(
    `select action, target_name, details from audit_log where actor_id = $1 and organization_id is not null
       and action like 'org.%' order by target_name`,
    [root.id],
  );
  expect(recorded).toMatchObject([
    { action: "org.member_add", target_name: "alone", details: { username: "root", role: "owner" } },
    { action: "org.role_change", target_name: "joined", details: { username: "root", new_role: "owner" } },
  ]);
  const [entry] = await server.container.platform.db.query<{ details: { became_owner_of: string[] } }>(
    "select details from audit_log where action = 'user.suspend' and target_id = $1 and details <> '{}'",
    [una.id],
  );
  expect(entry?.details.became_owner_of.sort()).toEqual(["alone", "joined"]);
  await suspend("una", root, false);
  expect((await api("DELETE", "/orgs/alone/members/root", root.token)).status).toBe(204);
  const statuses = await Promise.all([suspend("una", root), suspend("uwe", chief)]);
  expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
  expect(await owners("both")).toHaveLength(1);
  expect(["root", "chief"]).toContain((await owners("both"))[0]);
});

test("an owner who is suspended while the other one leaves: somebody who can act stays", async () => {
  const boss = await server.person("boss", { isAdmin: true });
  for (let round = 0; round < 6; round += 1) {
    const [org, name] = [`leave-${round}`, `vic-${round}`];
    const vic = await server.person(name);
    await newOrganization(org);
    await put(org, name, "owner");
    await Promise.all([
      api("PATCH", `/admin/users/${name}`, boss.token, { suspended: true }),
      api("DELETE", `/orgs/${org}/members/ada`, ada.token),
    ]);
    const left = await server.container.platform.db.query(
      `select u.id from organization_members m join users u on u.id = m.user_id join owners o on o.id = m.organization_id
       where o.name = $1 and m.role = 'owner' and not u.suspended`,
      [org],
    );
    expect([org, left.length, vic.username]).toEqual([org, 1, name]);
  }
});

test("two owners who remove each other, or step down, at the same time: one stays", async () => {
  for (let round = 0; round < 8; round += 1) {
    const org = `race-${round}`;
    await newOrganization(org);
    await put(org, "ben", "owner");
    const path = `/orgs/${org}/members`;
    const tries = [
      [() => api("DELETE", `${path}/ben`, ada.token), () => api("DELETE", `${path}/ada`, ben.token)],
      [() => api("DELETE", `${path}/ada`, ada.token), () => api("DELETE", `${path}/ben`, ben.token)],
      [() => put(org, "ada", "member"), () => put(org, "ben", "member", ben)],
      [() => put(org, "ada", "member"), () => api("DELETE", `${path}/ben`, ben.token)],
    ][round % 4]!;
    const answers = await Promise.all(tries.map((run) => run()));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    const left = await server.container.platform.db.one<{ owners: number }>(
      `select count(*) as owners from organization_members m join owners o on o.id = m.organization_id
       where o.name = $1 and m.role = 'owner'`,
      [org],
    );
    expect([org, left?.owners]).toEqual([org, 1]);
  }
});

test("an invitation is for one person, who accepts or declines; owners list and revoke", async () => {
  await newOrganization("four");
  const invite = (username: string, role = "member") =>
    api("POST", "/orgs/four/invitations", ada.token, { username, role });
  const made = await invite("ben", "owner");
  expect(made).toMatchObject({
    status: 201,
    json: { organization: "four", username: "ben", role: "owner", invited_by: "ada" },
  });
  expect((await api("GET", `/orgs/four/invitations/${made.json.id}`, ada.token)).json).toEqual(made.json);
  expect((await invite("ben")).status).toBe(409);
  expect((await invite("nobody")).json.errors[0]).toMatchObject({ field: "username", code: "unknown" });
  expect((await invite("ada")).status).toBe(409);
  const own = await api("GET", "/user/invitations", ben.token);
  expect(own.json).toEqual([{ ...made.json, url: `${server.baseUrl}/user/invitations/${made.json.id}` }]);
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/accept"],
    ["DELETE", ""],
  ] as const)
    expect((await api(method, `/user/invitations/${made.json.id}${path}`, eve.token)).status).toBe(404);
  expect((await api("GET", "/orgs/four/members", ben.token)).status).toBe(404);
  const accepted = await Promise.all(
    [1, 2].map(() => api("POST", `/user/invitations/${made.json.id}/accept`, ben.token)),
  );
  expect(accepted.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  expect(await roles("four")).toEqual({ ada: "owner", ben: "owner" });
  const second = await invite("eve");
  expect((await api("DELETE", `/user/invitations/${second.json.id}`, eve.token)).status).toBe(204);
  const third = await invite("eve");
  expect((await api("DELETE", `/orgs/four/invitations/${third.json.id}`, ada.token)).status).toBe(204);
  expect((await api("POST", `/user/invitations/${third.json.id}/accept`, eve.token)).status).toBe(404);
  const late = await invite("eve");
  await server.container.platform.db.query(
    "update organization_invitations set expires_at = now() where id = $1",
    [late.json.id],
  );
  expect((await api("POST", `/user/invitations/${late.json.id}/accept`, eve.token)).status).toBe(404);
  expect((await api("GET", "/orgs/four/invitations", ada.token)).json).toEqual([]);
  expect((await invite("eve")).status).toBe(201);
});
