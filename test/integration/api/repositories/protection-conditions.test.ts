/** Whom rules name, what they require of a commit, and rules for tags; through the real Git and over REST. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let bob: TestPerson;
let cat: TestPerson;
let made = 0;
beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  [ada, bob, cat] = [await server.person("ada"), await server.person("bob"), await server.person("cat")];
  await api("POST", "/orgs", ada.token, { name: "acme" });
  for (const name of ["bob", "cat"]) await api("PUT", `/orgs/acme/members/${name}`, ada.token, {});
  for (const [name, parent] of [
    ["release", null],
    ["eu", "release"],
  ])
    await api("POST", "/orgs/acme/teams", ada.token, { name, parent });
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const api = (method: string, path: string, token: string, body?: unknown) =>
  server.api(method, path, { token, body });

/** A repository of the organization with one commit, in which bob can write, and clones of it. */
async function shared(options: { auto_init?: boolean } = { auto_init: true }) {
  const name = `acme/c${made++}`;
  const path = `/repos/${name}`;
  await api("POST", "/repos", ada.token, { owner: "acme", name: name.slice(5), ...options });
  await api("PUT", `${path}/collaborators/bob`, ada.token, { permission: "write" });
  const cloneOf = async (person: TestPerson) => {
    const clone = `${git.home}/${name.slice(5)}-${person.username}`;
    await git.ok(["clone", "-q", addressWithToken(server.webUrl, name, person.token), clone]);
    return clone;
  };
  const clone = await cloneOf(bob);
  const push = (...args: string[]) => git.run(["push", "origin", ...args], { cwd: clone });
  const pushAs = (person: TestPerson, ...args: string[]) =>
    git.run(["push", addressWithToken(server.webUrl, name, person.token), ...args], { cwd: clone });
  const protect = (body: object, kind = "branch") =>
    api("POST", `${path}/${kind}-protections`, ada.token, body);
  const change = (id: string, body: object, kind = "branch") =>
    api("PATCH", `${path}/${kind}-protections/${id}`, ada.token, body);
  return { path, clone, push, pushAs, protect, change };
}

const put = (path: string, token: string, branch: string, file: string) =>
  api("PUT", `${path}/contents/${file}`, token, { branch, message: "write", content: "dGV4dAo=" });

it("lets whom a rule names push without its level, themselves or by a team, also a nested one", async () => {
  const { path, clone, push, protect, change } = await shared();
  const rule = await protect({ pattern: "main", push_level: "none", push_users: ["BOB"] });
  expect(rule.json).toMatchObject({ push_level: "none", push_users: ["bob"], push_teams: [] });
  await git.commit(clone, { "a.txt": "1\n" });
  expect((await push("main")).code).toBe(0);
  // Nobody else, an owner of the organization neither.
  const owner = await put(path, ada.token, "main", "owner.txt");
  expect([owner.status, owner.json.message]).toEqual([
    403,
    expect.stringContaining("only the users and teams it names"),
  ]);
  const teams = await change(rule.json.id, { push_users: [], push_teams: ["acme/Release", "acme/release"] });
  expect(teams.json).toMatchObject({ push_users: [], push_teams: ["acme/release"] });
  await git.commit(clone, { "a.txt": "2\n" });
  expect((await push("main")).stderr).toContain("only the users and teams it names");
  await api("PUT", "/orgs/acme/teams/release/eu/members/bob", ada.token, { role: "member" });
  expect((await push("main")).code).toBe(0);
  // A name gives no access: without write there is no push at all.
  await api("PUT", `${path}/collaborators/bob`, ada.token, { permission: "read" });
  await git.commit(clone, { "a.txt": "3\n" });
  expect((await push("main")).code).not.toBe(0);
  await api("DELETE", "/orgs/acme/teams/release/eu/members/bob", ada.token);
});

it("names bots, forgets who is gone, and counts no team of an owner that it had before", async () => {
  const { path, clone, push, pushAs, protect } = await shared();
  await api("POST", "/orgs/acme/bots", ada.token, { name: "ship", scopes: ["repo:write"] });
  const token = { name: "t", scopes: ["repo:write"] };
  const bot = (await api("POST", "/orgs/acme/bots/ship/tokens", ada.token, token)).json.token as string;
  await api("PUT", `${path}/collaborators/acme%2Fship`, ada.token, { permission: "write" });
  await api("POST", "/orgs/acme/teams", ada.token, { name: "crew" });
  await api("PUT", "/orgs/acme/teams/crew/members/bob", ada.token, { role: "member" });
  await api("POST", "/orgs/acme/teams", ada.token, { name: "gone" });
  const push_teams = ["acme/crew", "acme/gone"];
  const rule = await protect({ pattern: "main", push_level: "none", push_users: ["acme/ship"], push_teams });
  expect(rule.json).toMatchObject({ push_users: ["acme/ship"], push_teams });
  await git.commit(clone, { "a.txt": "1\n" });
  expect((await pushAs({ ...ada, token: bot }, "main")).code).toBe(0);
  await git.commit(clone, { "a.txt": "2\n" });
  expect((await push("main")).code).toBe(0);
  await api("DELETE", "/orgs/acme/teams/gone", ada.token);
  const shown = async (at: string) => (await api("GET", at, ada.token)).json;
  const address = (at: string) => `${at}/branch-protections/${rule.json.id}`;
  expect((await shown(address(path))).push_teams).toEqual(["acme/crew"]);
  const moved = path.replace("acme", "ada");
  expect((await api("POST", `${path}/transfer`, ada.token, { new_owner: "ada" })).json.status).toBe("done");
  expect((await shown(address(moved))).push_teams).toEqual([]);
  await api("PUT", `${moved}/collaborators/bob`, ada.token, { permission: "write" });
  await git.commit(clone, { "a.txt": "3\n" });
  expect((await push("main")).stderr).toContain("only the users and teams it names");
});

it("judges the last ref of many as the first", async () => {
  const { path, clone, push, protect } = await shared();
  await protect({ pattern: "zz", push_level: "none" });
  await protect({ pattern: "zz" }, "tag");
  const sha = await git.commit(clone, { "a.txt": "1\n" });
  const free = Array.from({ length: 40 }, (_, n) => `${sha}:refs/heads/many/${n}`);
  const all = [...free, `${sha}:refs/tags/zz`, `${sha}:refs/heads/zz`];
  const count = async () => (await api("GET", `${path}/branches`, bob.token)).headers["x-total-count"];
  expect((await push("--atomic", ...all)).code).not.toBe(0);
  expect(await count()).toBe("1");
  const told = await push(...all);
  for (const ref of ["refs/tags/zz", "refs/heads/zz"])
    expect(told.stderr).toContain(`remote: ${ref}: rule "zz" allows only`);
  expect(await count()).toBe("41");
});

it("takes names of those who can write and of own teams only, and audits them", async () => {
  const { path, protect, change } = await shared();
  const { id } = (await protect({ pattern: "main", push_users: ["bob"] })).json;
  await api("POST", "/orgs", cat.token, { name: "other" });
  await api("POST", "/orgs/other/teams", cat.token, { name: "theirs" });
  for (const [body, field] of [
    [{ push_users: ["bob", "nobody"] }, "push_users.1"],
    [{ push_users: ["cat"] }, "push_users.0"],
    [{ push_teams: ["other/theirs"] }, "push_teams.0"],
    [{ push_teams: ["acme/absent"] }, "push_teams.0"],
    [{ push_teams: ["acme"] }, "push_teams.0"],
    [{ push_users: "bob" }, "push_users"],
    [{ push_users: Array(51).fill("bob") }, "push_users"],
    [{ required_approvals: -1 }, "required_approvals"],
    [{ required_approvals: 1.5 }, "required_approvals"],
    [{ require_pipeline: "yes" }, "require_pipeline"],
  ] as const) {
    const answer = await change(id, body);
    expect([answer.status, answer.json.errors[0].field]).toEqual([422, field]);
  }
  expect((await api("GET", `${path}/branch-protections/${id}`, ada.token)).json.push_users).toEqual(["bob"]);
  await change(id, { push_teams: ["acme/release/eu"] });
  await change(id, { push_teams: ["acme/release/eu"] });
  const entries = await server.container.platform.db.query<{ details: object }>(
    `select details from audit_log where details ->> 'protection_id' = $1 order by seq`,
    [id],
  );
  expect(entries.map(({ details }) => details)).toMatchObject([
    { change: "created", push_users: ["bob"], push_teams: [] },
    {
      change: "modified",
      before: { push_users: ["bob"], push_teams: [] },
      push_teams: ["acme/release/eu"],
    },
  ]);
});

it("shows a secret team to nobody who does not see it, and keeps it when they replace the list", async () => {
  const { path, protect } = await shared();
  await api("POST", "/orgs/acme/teams", ada.token, { name: "ghosts", visibility: "secret" });
  await api("PUT", `${path}/collaborators/bob`, ada.token, { permission: "admin" });
  const { id } = (await protect({ pattern: "main", push_teams: ["acme/ghosts", "acme/release"] })).json;
  const address = `${path}/branch-protections/${id}`;
  expect((await api("GET", address, bob.token)).json.push_teams).toEqual(["acme/release"]);
  // Nor to a token of who does, which is not for organizations.
  const narrow = await server.tokenFor(ada, ["repo:admin"]);
  expect((await api("GET", address, narrow)).json.push_teams).toEqual(["acme/release"]);
  const unseen = await api("PATCH", address, bob.token, { push_teams: ["acme/ghosts"] });
  const absent = await api("PATCH", address, bob.token, { push_teams: ["acme/ghost_"] });
  expect(unseen.text.replaceAll("ghosts", "ghost_").replace(unseen.json.request_id, "")).toBe(
    absent.text.replace(absent.json.request_id, ""),
  );
  expect((await api("PATCH", address, bob.token, { push_teams: [] })).json.push_teams).toEqual([]);
  expect((await api("GET", address, ada.token)).json.push_teams).toEqual(["acme/ghosts"]);
});

it("refuses every direct push where approvals are required, whoever pushes, over each transport", async () => {
  const { path, clone, push, pushAs, protect } = await shared();
  await protect({ pattern: "main", push_level: "write", required_approvals: 2, allow_force_push: true });
  await git.commit(clone, { "a.txt": "1\n" });
  const told = 'rule "main" requires 2 approvals: changes need a merge request and cannot be pushed directly';
  expect((await push("main")).stderr).toContain(`remote: refs/heads/main: ${told}`);
  expect((await pushAs(ada, "--force", "main")).stderr).toContain(told);
  const file = await put(path, ada.token, "main", "a.txt");
  expect([file.status, file.json.error, file.json.message]).toEqual([
    403,
    "forbidden",
    `refs/heads/main: ${told}`,
  ]);
  expect((await push("main:work")).code).toBe(0);
});

it("lets branches that require approvals begin where as many were given, and in an empty repository", async () => {
  const { path, clone, push, protect } = await shared({});
  await protect({ pattern: "main", push_level: "write", required_approvals: 2 });
  await protect({ pattern: "release/*", push_level: "write", required_approvals: 2 });
  await protect({ pattern: "small", push_level: "write", required_approvals: 1 });
  await git.ok(["checkout", "-q", "-b", "main"], { cwd: clone });
  await git.commit(clone, { "a.txt": "1\n" });
  expect((await push("main")).code).toBe(0);
  expect((await push("main:release/1")).code).toBe(0);
  expect((await push("main:small")).code).toBe(0);
  const unseen = await git.commit(clone, { "a.txt": "2\n" });
  const told =
    'rule "release/*" requires 2 approvals: it can only be created at a commit of a branch that requires';
  expect((await push("main:release/2")).stderr).toContain(told);
  // Neither once it is in a branch that requires nothing.
  expect((await push("main:work")).code).toBe(0);
  const made = await api("POST", `${path}/branches`, bob.token, { name: "release/2", ref: unseen });
  expect([made.status, made.json.message]).toEqual([403, expect.stringContaining(told)]);
  expect((await api("POST", `${path}/branches`, bob.token, { name: "release/2", ref: "small" })).status).toBe(
    201,
  );
});

it("takes a commit only when a run of that very commit has succeeded, where a pipeline is required", async () => {
  const { path, clone, push, protect } = await shared();
  await protect({ pattern: "main", push_level: "write", require_pipeline: true });
  const pipeline = "on:\n  push: {}\njobs:\n  t:\n    image: alpine\n    steps: [{ run: echo }]\n";
  const sha = await git.commit(clone, { ".forgeline.yml": pipeline });
  const told = `rule "main" requires a passed pipeline, but ${sha.slice(0, 12)} has none here`;
  expect((await push("main")).stderr).toContain(`remote: refs/heads/main: ${told}`);
  expect((await push("main:work")).code).toBe(0);
  expect((await push("main")).stderr).toContain(told);
  const end = (status: string) =>
    server.container.platform.db.query(
      "update pipelines set status = $2, reason = $3, finished_at = now() where sha = $1",
      [sha, status, status === "skipped" ? "skip_ci" : null],
    );
  for (const status of ["failed", "skipped", "cancelled", "error"]) {
    await end(status);
    expect((await push("main")).stderr).toContain(told);
  }
  await end("success");
  // Of this repository, and of this commit.
  const other = await shared();
  await other.protect({ pattern: "new", push_level: "write", require_pipeline: true });
  const there = await git.run(
    ["push", addressWithToken(server.webUrl, other.path.slice(7), bob.token), "main:new"],
    { cwd: clone },
  );
  expect(there.stderr).toContain("requires a passed pipeline");
  expect((await push("main")).code).toBe(0);
  await git.commit(clone, { "a.txt": "1\n" });
  expect((await push("main")).stderr).toContain("requires a passed pipeline");
  expect((await put(path, bob.token, "main", "a.txt")).status).toBe(403);
});

it("protects tags: who may create them, and that they stay as they are", async () => {
  const { path, clone, push, pushAs, protect, change } = await shared();
  const rule = (await protect({ pattern: "v*" }, "tag")).json;
  expect(rule).toMatchObject({ pattern: "v*", create_level: "maintain", create_users: [], create_teams: [] });
  expect((await protect({ pattern: "v*" }, "tag")).status).toBe(409);
  // Rules for branches are others.
  expect((await protect({ pattern: "v*" })).status).toBe(201);
  expect((await api("GET", `${path}/branch-protections/${rule.id}`, ada.token)).status).toBe(404);
  const refused = await push("main:refs/tags/v1", "main:refs/tags/other");
  expect(refused.stderr).toContain('remote: refs/tags/v1: rule "v*" allows only level maintain');
  const tag = async (name: string) => (await api("GET", `${path}/tags/${name}`, bob.token)).json;
  expect([(await tag("v1")).error, (await tag("other")).protected]).toEqual(["not_found", false]);
  expect((await api("POST", `${path}/tags`, bob.token, { name: "v1" })).status).toBe(403);
  expect((await change(rule.id, { create_users: ["bob"] }, "tag")).json.create_users).toEqual(["bob"]);
  expect((await push("main:refs/tags/v1")).code).toBe(0);
  const before = await tag("v1");
  expect(before.protected).toBe(true);
  await git.commit(clone, { "a.txt": "1\n" });
  for (const who of [bob, ada])
    for (const what of ["+main:refs/tags/v1", ":refs/tags/v1"])
      expect((await pushAs(who, what)).stderr).toContain("it cannot be moved or deleted");
  const deleted = await api("DELETE", `${path}/tags/v1`, ada.token);
  expect([deleted.status, deleted.json.message]).toEqual([
    403,
    expect.stringContaining("cannot be moved or"),
  ]);
  expect(await tag("v1")).toEqual(before);
  expect((await api("DELETE", `${path}/tag-protections/${rule.id}`, ada.token)).status).toBe(204);
  expect((await tag("v1")).protected).toBe(false);
  expect((await push(":refs/tags/v1")).code).toBe(0);
  const [last] = await server.container.platform.db.query<{ action: string; details: object }>(
    `select action, details from audit_log where details ->> 'protection_id' = $1 order by seq desc`,
    [rule.id],
  );
  expect(last).toMatchObject({
    action: "security.tag_protection_change",
    details: { change: "deleted", pattern: "v*", create_users: ["bob"] },
  });
});
