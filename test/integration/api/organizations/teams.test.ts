import { afterAll, beforeAll, expect, test } from "vitest";
import { insertRepository } from "@forgeline/server/domains/hosting/repositories/repositories.store.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
let cat: TestPerson;
let made = 0;
beforeAll(async () => {
  server = await startApiServer();
  [ada, ben, cat] = [await server.person("ada"), await server.person("ben"), await server.person("cat")];
});
afterAll(() => server.stop());

const api = (method: string, path: string, by?: TestPerson, body?: unknown) =>
  server.api(method, path, { ...(by === undefined ? {} : { token: by.token }), body });

/** An organization of ada's, in which ben and cat are members. */
async function newOrganization(): Promise<{ id: string; name: string }> {
  const name = `org-${++made}`;
  const { json } = await api("POST", "/orgs", ada, { name });
  for (const person of [ben, cat]) await api("PUT", `/orgs/${name}/members/${person.username}`, ada, {});
  return { id: json.id, name };
}

async function newTeam(org: string, path: string, by = ada, visibility = "visible") {
  const names = path.split("/");
  const parent = names.slice(0, -1).join("/") || null;
  return api("POST", `/orgs/${org}/teams`, by, { name: names.at(-1), parent, visibility });
}

async function newRepository(ownerId: string, name: string): Promise<string> {
  const repository = { id: newId("repo"), ownerId, name, description: "", defaultBranch: "main" };
  await insertRepository(server.container.platform.db, { ...repository, visibility: "private" });
  return repository.id;
}

const join = (org: string, team: string, who: string, role = "member", by = ada) =>
  api("PUT", `/orgs/${org}/teams/${team}/members/${who}`, by, { role });
const grant = (org: string, team: string, repo: string, permission: string, by = ada) =>
  api("PUT", `/orgs/${org}/teams/${team}/repos/${repo}`, by, { permission });

async function paths(org: string, by: TestPerson): Promise<string[]> {
  const answer = await api("GET", `/orgs/${org}/teams`, by);
  expect(answer.headers["x-total-count"]).toBe(String(answer.json.length));
  return answer.json.map((team: { full_name: string }) => team.full_name.slice(org.length + 1));
}

const level = async (org: string, repo: string, by: TestPerson) =>
  (await api("GET", `/repos/${org}/${repo}`, by)).json.permissions;

test("nests seven levels; addresses take slashes literal or as %2F; what is below has what is above", async () => {
  const { id, name: org } = await newOrganization();
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  for (const [depth] of names.entries()) {
    const path = names.slice(0, depth + 1).join("/");
    const team = await newTeam(org, path);
    expect(team).toMatchObject({
      status: 201,
      json: { full_name: `${org}/${path}`, parent: names.slice(0, depth).join("/") || null },
    });
    expect(team.headers.location).toBe(team.json.url);
    for (const address of [path, encodeURIComponent(path), path.toUpperCase()])
      expect((await api("GET", `/orgs/${org}/teams/${address}`, ben)).json).toEqual(team.json);
  }
  await newRepository(id, "deep");
  const granted = await grant(org, "a%2Fb", "deep", "triage");
  expect(granted).toMatchObject({
    status: 200,
    json: { team: { name: "b" }, repository: { full_name: `${org}/deep` }, permission: "triage" },
  });
  expect((await join(org, "a/b/c/d/e/f/g", "ben", "member")).json).toMatchObject({
    user: { username: "ben" },
    role: "member",
    inherited_from: null,
  });
  expect(await level(org, "deep", ben)).toBe("triage");
  await grant(org, "a/b/c/d", "deep", "maintain");
  await grant(org, "a/b/c/d/e", "deep", "write");
  expect(await level(org, "deep", ben)).toBe("maintain");
  // The child was widened, not its parent.
  await join(org, "a/b", "cat");
  expect(await level(org, "deep", cat)).toBe("triage");
  const listed = await api("GET", `/orgs/${org}/teams/a/b/c/d/e/repos`, ben);
  expect(listed.json).toMatchObject([{ permission: "maintain", inherited_from: `${org}/a/b/c/d` }]);
  // Beside the team's permission stands what the caller has there.
  for (const [person, own] of [
    [ben, "maintain"],
    [cat, "triage"],
    [ada, "admin"],
  ] as const) {
    const { json } = await api("GET", `/orgs/${org}/teams/a/b/c/d/e/repos`, person);
    expect(json).toMatchObject([{ permission: "maintain", repository: { permissions: own } }]);
  }
  const members = await api("GET", `/orgs/${org}/teams/a/b/members`, cat);
  expect(members.json).toMatchObject([
    { user: { username: "ben" }, inherited_from: `${org}/a/b/c/d/e/f/g`, role: "member" },
    { user: { username: "cat" }, inherited_from: null },
  ]);
});

test("renames and moves a whole tree; never into itself, never over another, never too deep", async () => {
  const { id, name: org } = await newOrganization();
  for (const path of ["x", "x/y", "x/y/z", "w"]) await newTeam(org, path);
  await newRepository(id, "r");
  await grant(org, "x", "r", "write");
  await join(org, "x/y/z", "ben");
  expect(await level(org, "r", ben)).toBe("write");
  const patch = (team: string, body: unknown, by = ada) =>
    api("PATCH", `/orgs/${org}/teams/${team}`, by, body);
  expect((await patch("x/y", { name: "why" })).json).toMatchObject({ full_name: `${org}/x/why` });
  expect(await paths(org, ben)).toEqual(["w", "x", "x/why", "x/why/z"]);
  expect((await patch("x/why", { parent: "w", description: "moved" })).status).toBe(200);
  expect(await paths(org, ben)).toEqual(["w", "w/why", "w/why/z", "x"]);
  expect((await api("GET", `/repos/${org}/r`, ben)).status).toBe(404);
  for (const parent of ["w/why", "w/why/z", "nowhere"]) {
    const refused = await patch("w/why", { parent });
    expect([parent, refused.status, refused.json.errors[0].field]).toEqual([parent, 422, "parent"]);
  }
  expect((await patch("w/why", { parent: null, name: "X" })).status).toBe(409);
  expect((await patch("w/why", { parent: null })).json.parent).toBeNull();
  expect(await paths(org, ben)).toEqual(["w", "why", "why/z", "x"]);
  let deep = "w";
  for (let i = 2; i <= 20; i += 1) expect((await newTeam(org, (deep += "/n"))).status).toBe(201);
  expect((await newTeam(org, `${deep}/n`)).status).toBe(422);
  expect((await patch("why", { parent: deep.slice(0, -2) })).status).toBe(422);
  expect((await api("DELETE", `/orgs/${org}/teams/w`, ada)).status).toBe(204);
  expect(await paths(org, ben)).toEqual(["why", "why/z", "x"]);
  expect((await api("DELETE", `/orgs/${org}`, ada)).status).toBe(409);
  await server.container.platform.db.query("delete from repositories where owner_id = $1", [id]);
  expect((await api("DELETE", `/orgs/${org}`, ada)).status).toBe(204);
  const left = await server.container.platform.db.query("select id from teams where organization_id = $1", [
    id,
  ]);
  expect(left).toEqual([]);
});

test("names are checked; moving at the same time leaves a tree", async () => {
  const { id, name: org } = await newOrganization();
  for (const name of ["members", "Repos", "a/b", ".a", "", "ü"])
    expect((await api("POST", `/orgs/${org}/teams`, ada, { name })).json.errors[0].field).toBe("name");
  for (let round = 0; round < 5; round += 1) {
    const [p, q] = [`p${round}`, `q${round}`];
    await newTeam(org, p);
    await newTeam(org, q);
    const [one, two] = await Promise.all([
      api("PATCH", `/orgs/${org}/teams/${p}`, ada, { parent: q }),
      api("PATCH", `/orgs/${org}/teams/${q}`, ada, { parent: p }),
    ]);
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 422]);
  }
  const odd = await server.container.platform.db.query(
    `select t.path from teams t left join teams p on p.id = t.parent_id where t.organization_id = $1
       and (t.lineage is distinct from coalesce(p.lineage, '{}') || t.id
         or t.path is distinct from coalesce(p.path || '/', '') || t.name)`,
    [id],
  );
  expect(odd).toEqual([]);
});

test("a maintainer manages the team and what is nested in it, and nothing else", async () => {
  const { id, name: org } = await newOrganization();
  for (const path of ["m", "other"]) await newTeam(org, path);
  await newRepository(id, "mine");
  await newRepository(id, "hidden");
  await join(org, "m", "ben", "maintainer");
  expect((await newTeam(org, "m/sub", ben, "secret")).status).toBe(201);
  expect((await newTeam(org, "top", ben)).status).toBe(403);
  expect((await newTeam(org, "other/sub", ben)).status).toBe(403);
  expect((await join(org, "m/sub", "cat", "member", ben)).status).toBe(200);
  expect((await join(org, "other", "ben", "member", ben)).status).toBe(403);
  expect((await join(org, "m", "nobody", "member", ben)).status).toBe(404);
  await server.person("outsider");
  expect((await join(org, "m", "outsider", "member", ben)).json.errors[0].field).toBe("username");
  const patch = (team: string, body: unknown, by: TestPerson) =>
    api("PATCH", `/orgs/${org}/teams/${team}`, by, body);
  expect((await patch("m", { description: "ours" }, ben)).json.description).toBe("ours");
  expect((await patch("m", { description: "cat's" }, cat)).status).toBe(403);
  // A new name, a new place: told by who sees what is there.
  expect((await patch("m", { name: "n" }, ben)).status).toBe(403);
  expect((await patch("m", { parent: "other" }, ben)).status).toBe(403);
  expect((await patch("m/sub", { parent: null }, ben)).status).toBe(403);
  expect((await patch("m/sub", { name: "n" }, ben)).status).toBe(200);
  // Granting needs admin on the repository, too, and tells nothing of one that is not seen.
  expect((await grant(org, "m", "hidden", "read", ben)).status).toBe(404);
  await grant(org, "other", "mine", "admin");
  await join(org, "other", "ben");
  expect((await grant(org, "m", "mine", "write", ben)).status).toBe(200);
  expect((await grant(org, "other", "mine", "write", ben)).status).toBe(403);
  expect((await grant(org, "m", "mine", "read", ben)).status).toBe(200);
  expect((await grant(org, "m", "mine", "push", ben)).json.errors[0].field).toBe("permission");
  expect((await api("DELETE", `/orgs/${org}/teams/m/repos/mine`, ben)).status).toBe(204);
  expect((await api("DELETE", `/orgs/${org}/teams/m/repos/mine`, ben)).status).toBe(404);
  const recorded = await server.container.platform.db.query<{ line: string }>(
    `select action || ' ' || target_name as line from audit_log where target_name like $1 || '/m%' order by seq`,
    [org],
  );
  expect(recorded.map((row) => row.line)).toEqual([
    `org.team_create ${org}/m`,
    `org.team_member_add ${org}/m`,
    `org.team_create ${org}/m/sub`,
    `org.team_member_add ${org}/m/sub`,
    `org.team_update ${org}/m`,
    `org.team_update ${org}/m/n`,
    `access.team_repo_add ${org}/mine`,
    `access.team_repo_add ${org}/mine`,
    `access.permission_change ${org}/mine`,
    `access.team_repo_remove ${org}/mine`,
  ]);
  expect((await api("DELETE", `/orgs/${org}/teams/m/n/members/cat`, cat)).status).toBe(204);
  expect((await api("DELETE", `/orgs/${org}/teams/m/members/ben`, cat)).status).toBe(403);
});

test("who leaves the organization leaves its teams and repositories", async () => {
  const { id, name: org } = await newOrganization();
  await newTeam(org, "t");
  const repo = await newRepository(id, "r");
  await grant(org, "t", "r", "write");
  await join(org, "t", "ben");
  await server.container.platform.db.query("insert into collaborators values ($1, $2, 'admin')", [
    repo,
    ben.id,
  ]);
  expect(await level(org, "r", ben)).toBe("admin");
  expect((await api("DELETE", `/orgs/${org}/members/ben`, ben)).status).toBe(204);
  expect((await api("GET", `/repos/${org}/r`, ben)).status).toBe(404);
  await api("PUT", `/orgs/${org}/members/ben`, ada, {});
  expect((await api("GET", `/repos/${org}/r`, ben)).status).toBe(404);
  expect((await api("GET", `/orgs/${org}/teams/t/members`, ada)).json).toEqual([]);
});

test("a secret team, and what is nested in it, shows nowhere to who is not in it", async () => {
  const { id, name: org } = await newOrganization();
  await newTeam(org, "open");
  await newTeam(org, "canary", ada, "secret");
  await newTeam(org, "canary/inner");
  await newTeam(org, "open/canary2", ada, "secret");
  await newRepository(id, "r");
  await grant(org, "canary", "r", "read");
  await join(org, "canary/inner", "ben");
  await join(org, "open", "cat", "maintainer");
  await join(org, "open/canary2", "ben");
  expect(await paths(org, ben)).toEqual(["canary/inner", "open", "open/canary2"]);
  // Who maintains a team manages what is nested in it.
  expect(await paths(org, cat)).toEqual(["open", "open/canary2"]);
  await join(org, "open", "cat", "member");
  expect(await paths(org, cat)).toEqual(["open"]);
  const answers: string[] = [];
  for (const [method, path, body] of [
    ["GET", ""],
    ["GET", "/members"],
    ["GET", "/repos"],
    ["PATCH", "", { name: "mine" }],
    ["DELETE", ""],
    ["PUT", "/members/cat", { role: "maintainer" }],
    ["DELETE", "/members/ben"],
    ["PUT", "/repos/r", { permission: "admin" }],
    ["DELETE", "/repos/r"],
  ] as const) {
    const absent = await api(method, `/orgs/${org}/teams/nothing${path}`, cat, body);
    for (const team of ["canary", "canary/inner", "open%2Fcanary2"]) {
      const hidden = await api(method, `/orgs/${org}/teams/${team}${path}`, cat, body);
      const { date: _d, "x-request-id": _i, ...headers } = hidden.headers;
      const { date: _e, "x-request-id": _j, ...absentHeaders } = absent.headers;
      expect([method, path, hidden.status, hidden.text, headers]).toEqual([
        method,
        path,
        404,
        absent.text,
        absentHeaders,
      ]);
    }
  }
  const hiddenParent = await api("POST", `/orgs/${org}/teams`, cat, { name: "n", parent: "canary" });
  const noParent = await api("POST", `/orgs/${org}/teams`, cat, { name: "n", parent: "nothing" });
  expect([hiddenParent.status, hiddenParent.text]).toEqual([422, noParent.text]);
  for (const path of ["/teams", "/teams/open", "/teams/open/members", "/teams/open/repos", "/members", ""]) {
    const answer = await api("GET", `/orgs/${org}${path}`, cat);
    expect(answer.status).toBe(200);
    answers.push(answer.text, JSON.stringify(answer.headers));
  }
  for (const path of ["/users/ben", "/user", "/user/orgs"]) answers.push((await api("GET", path, cat)).text);
  expect(answers.join("\n")).not.toContain("canary");
  const counted = await api("GET", `/orgs/${org}/teams/open/members`, cat);
  expect(counted.headers["x-total-count"]).toBe("1");
});
