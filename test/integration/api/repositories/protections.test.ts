/** Rules for branches hold at each entry point, from the next push on, and each ref of a push has a verdict of its own. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let bob: TestPerson;
let made = 0;
beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const api = (method: string, path: string, token: string, body?: unknown) =>
  server.api(method, path, { token, body });

/** A repository of ada's with one commit, in which bob has `level`, and bob's clone of it. */
async function shared(level: string) {
  const path = `/repos/ada/p${made++}`;
  const name = path.slice("/repos/".length);
  const { id } = (await api("POST", "/repos", ada.token, { name: name.slice(4), auto_init: true })).json;
  await api("PUT", `${path}/collaborators/bob`, ada.token, { permission: level });
  const clone = `${git.home}/${name.slice(4)}`;
  await git.ok(["clone", "-q", addressWithToken(server.webUrl, name, bob.token), clone]);
  const protect = (body: object, token = ada.token) => api("POST", `${path}/branch-protections`, token, body);
  const push = (...args: string[]) => git.run(["push", "origin", ...args], { cwd: clone });
  const setLevel = (permission: string) => api("PUT", `${path}/collaborators/bob`, ada.token, { permission });
  const head = async (branch: string) =>
    (await api("GET", `${path}/branches/${branch}`, ada.token)).json?.commit?.sha as string | undefined;
  return { id: id as string, path, clone, protect, push, setLevel, head };
}

const contents = (branch: string) => ({
  branch,
  message: "write",
  content: Buffer.from("text\n").toString("base64"),
});

it("lists, shows, changes and removes rules, each with an audit entry", async () => {
  const { id, path, protect } = await shared("maintain");
  const rule = (await protect({ pattern: "release/*" })).json;
  expect(rule).toMatchObject({
    pattern: "release/*",
    push_level: "maintain",
    allow_force_push: false,
    allow_deletion: false,
  });
  const address = `${path}/branch-protections/${rule.id}`;
  expect((await api("GET", address, ada.token)).json).toEqual(rule);
  const list = await api("GET", `${path}/branch-protections`, ada.token);
  expect([list.json, list.headers["x-total-count"]]).toEqual([[rule], "1"]);
  const changed = await api("PATCH", address, ada.token, { push_level: "admin" });
  expect(changed.json).toMatchObject({ id: rule.id, pattern: "release/*", push_level: "admin" });
  expect((await protect({ pattern: "release/*" })).status).toBe(409);
  for (const [method, where, body] of [
    ["GET", address, undefined],
    ["GET", `${path}/branch-protections`, undefined],
    ["POST", `${path}/branch-protections`, { pattern: "x" }],
    ["PATCH", address, { push_level: "write" }],
    ["DELETE", address, undefined],
  ] as const)
    expect((await api(method, where, bob.token, body)).status).toBe(403);
  expect((await api("DELETE", address, ada.token)).status).toBe(204);
  expect((await api("GET", address, ada.token)).status).toBe(404);
  const entries = await server.container.platform.db.query<{ details: { change: string } }>(
    `select details from audit_log where target_id = $1 and action = 'security.branch_protection_change' order by seq`,
    [id],
  );
  expect(entries.map(({ details }) => details.change)).toEqual(["created", "modified", "deleted"]);
});

it("refuses a writer and lets a maintainer push, by the rule and the level of that moment", async () => {
  const { clone, path, protect, push, setLevel } = await shared("write");
  await git.commit(clone, { "a.txt": "1\n" });
  expect((await push("main")).code).toBe(0);
  const { id } = (await protect({ pattern: "ma*" })).json;
  const after = await git.commit(clone, { "a.txt": "2\n" });
  const refused = await push("main");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/remote: refs\/heads\/main: rule "ma\*" allows only level maintain/);
  await setLevel("maintain");
  expect((await push("main")).code).toBe(0);
  expect((await api("GET", `${path}/branches/main`, bob.token)).json).toMatchObject({
    protected: true,
    commit: { sha: after },
  });
  await api("PATCH", `${path}/branch-protections/${id}`, ada.token, { push_level: "admin" });
  await git.commit(clone, { "a.txt": "3\n" });
  expect((await push("main")).code).not.toBe(0);
  await api("DELETE", `${path}/branch-protections/${id}`, ada.token);
  expect((await push("main")).code).toBe(0);
  expect((await api("GET", `${path}/branches`, bob.token)).json[0].protected).toBe(false);
});

it("refuses force pushes and deletions where a rule does not allow them", async () => {
  const { clone, path, protect, push, head } = await shared("maintain");
  expect((await push("main:side")).code).toBe(0);
  const { id } = (await protect({ pattern: "side" })).json;
  const forward = await git.commit(clone, { "a.txt": "1\n" });
  expect((await push("main:side")).code).toBe(0);
  await git.ok(["commit", "-q", "--amend", "-m", "other"], { cwd: clone });
  const forced = await push("--force", "main:side");
  expect(forced.code).not.toBe(0);
  expect(forced.stderr).toContain('remote: refs/heads/side: rule "side" does not allow force pushes');
  // Back to a commit that the server has already: nothing arrives, so there is no quarantine.
  expect((await push("--force", "main~1:side")).stderr).toContain("does not allow force pushes");
  expect((await push(":side")).stderr).toContain('rule "side" does not allow deletion');
  expect(await head("side")).toBe(forward);
  await api("PATCH", `${path}/branch-protections/${id}`, ada.token, { allow_force_push: true });
  expect((await push("--force", "main:side")).code).toBe(0);
  expect((await push(":side")).code).not.toBe(0);
  await api("PATCH", `${path}/branch-protections/${id}`, ada.token, { allow_deletion: true });
  // A second rule that matches must allow it too.
  await protect({ pattern: "s*" });
  expect((await push(":side")).stderr).toContain('rule "s*" does not allow deletion');
});

it("judges each ref: only forbidden ones stay behind, unless the push is atomic", async () => {
  const { id, clone, protect, push, head } = await shared("write");
  await protect({ pattern: "main" });
  await protect({ pattern: "keep/**" });
  const after = await git.commit(clone, { "a.txt": "1\n" });
  const before = await head("main");
  const atomic = await push("--atomic", "main", "main:free");
  expect(atomic.code).not.toBe(0);
  expect([await head("main"), await head("free")]).toEqual([before, undefined]);
  const answer = await push("main", "main:free", "main:keep/a/b", "main:refs/tags/main");
  expect(answer.code).not.toBe(0);
  expect(answer.stderr).toContain('remote: refs/heads/main: rule "main" allows only level maintain');
  expect(answer.stderr).toContain('remote: refs/heads/keep/a/b: rule "keep/**"');
  expect([await head("main"), await head("free"), await head("keep/a/b")]).toEqual([
    before,
    after,
    undefined,
  ]);
  const [last] = await server.container.platform.db.query<{ state: string; updates: { ref: string }[] }>(
    "select state, updates from pushes where repository_id = $1 order by id desc limit 1",
    [id],
  );
  expect([last?.state, last?.updates.map(({ ref }) => ref).toSorted()]).toEqual([
    "recorded",
    ["refs/heads/free", "refs/tags/main"],
  ]);
});

it("holds for what is written over REST", async () => {
  const { path, protect } = await shared("write");
  await api("POST", `${path}/branches`, bob.token, { name: "old" });
  await protect({ pattern: "main" });
  await protect({ pattern: "old", push_level: "write" });
  await protect({ pattern: "new" });
  const file = await api("PUT", `${path}/contents/a.txt`, bob.token, contents("main"));
  expect([file.status, file.json.message]).toEqual([403, expect.stringContaining('rule "main"')]);
  expect((await api("PUT", `${path}/contents/a.txt`, bob.token, contents("old"))).status).toBe(200);
  expect((await api("PUT", `${path}/contents/a.txt`, ada.token, contents("main"))).status).toBe(200);
  expect((await api("POST", `${path}/branches`, bob.token, { name: "new" })).status).toBe(403);
  const deletion = await api("DELETE", `${path}/branches/old`, bob.token);
  expect([deletion.status, deletion.json.message]).toEqual([
    403,
    expect.stringContaining("not allow deletion"),
  ]);
});

it("takes no hostile patterns, and at most a hundred", async () => {
  const { clone, protect, push } = await shared("write");
  for (const pattern of [
    "",
    "!main",
    "refs/heads/main",
    "a\nsay x",
    "a\0",
    "a\u202eb",
    "a\u200b",
    "\ud800",
    "x".repeat(101),
    7,
    null,
  ])
    expect((await protect({ pattern })).json.errors[0].field).toBe("pattern");
  expect((await protect({ pattern: "x", push_level: "read" })).json.errors[0].field).toBe("push_level");
  const hostile = ["(a+)+$", "**a".repeat(33), "'; drop table pushes; --", "$(touch x)", "\\", "[", "%_"];
  for (const pattern of hostile) expect((await protect({ pattern })).status).toBe(201);
  expect((await push(`main:${"a".repeat(200)}b`)).code).toBe(0);
  const long = await push(`main:${"a".repeat(200)}`);
  expect(long.stderr).toContain('rule "**a**a');
  const rest = Array.from({ length: 100 - hostile.length }, (_, n) => protect({ pattern: `n${n}` }));
  expect((await Promise.all(rest)).every(({ status }) => status === 201)).toBe(true);
  expect((await protect({ pattern: "one more" })).status).toBe(409);
  await git.commit(clone, {});
  expect((await push("main")).code).toBe(0);
});

it("cannot be changed in an archived repository, nor found from another one", async () => {
  const { path, protect } = await shared("write");
  const { id } = (await protect({ pattern: "main" })).json;
  const other = await shared("write");
  const foreign = `${other.path}/branch-protections/${id}`;
  expect((await api("PATCH", foreign, ada.token, { push_level: "write" })).status).toBe(404);
  expect((await api("DELETE", foreign, ada.token)).status).toBe(404);
  await api("POST", `${path}/archive`, ada.token);
  const address = `${path}/branch-protections/${id}`;
  for (const answer of [
    await protect({ pattern: "x" }),
    await api("PATCH", address, ada.token, { push_level: "write" }),
    await api("DELETE", address, ada.token),
  ])
    expect(answer.json.error).toBe("repository_archived");
  expect((await api("GET", address, ada.token)).status).toBe(200);
});
