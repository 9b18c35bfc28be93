/**
 * Edits by maintainers: who may merge pushes to the source branch of a merge request from a fork as its author allows, and to nothing
 * else of the fork, and not any longer than that.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { addressWithToken } from "../integration/git/git-client.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { branchesOver, type BranchesOverRest } from "../support/branches-over-rest.ts";
import { eventually } from "../support/eventually.ts";
import { lfsBatch, lfsCall, lfsObject, lfsUpload, send } from "../support/lfs-server.ts";
import { createSshClient, type SshClient } from "../support/ssh-client.ts";

let server: ApiServer;
let ssh: SshClient;
/** Owns the target; bob's is the fork; mary may write in the target, and cal may not. */
let [ada, bob, mary, cal]: TestPerson[] = [];
let fork: BranchesOverRest;
let number: number;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
const fork_ = "/repos/bob/engine";
const as =
  (person: TestPerson | undefined, token = person?.token) =>
  (method: string, path: string, body?: unknown) =>
    server.api(method, path, { ...(token === undefined ? {} : { token }), body });

beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
  ssh = await createSshClient(server);
  [ada, bob, mary, cal] = [
    await server.person("ada"),
    await server.person("bob"),
    await server.person("mary"),
    await server.person("cal"),
  ];
  await as(ada)("POST", "/repos", { name: "engine", readme: true, private: false });
  await as(ada)("PUT", `${R}/collaborators/mary`, { permission: "write" });
  await as(bob)("POST", `${R}/forks`, {});
  fork = branchesOver(as(bob), fork_);
  await fork.branch("other", { "other.txt": "1\n" });
  await fork.branch("topic", { "a.txt": "1\n2\n3\n" });
  number = (await propose("topic")).json.number;
  await ssh.git.ok(["clone", "-q", address(bob.token), tree()]);
});
afterAll(async () => {
  await ssh?.remove();
  await server?.stop();
});

const propose = (source_branch: string, more: object = {}, token = bob!.token) =>
  as(bob, token)("POST", M, { title: "x", source_repo: "bob/engine", source_branch, ...more });
const allow = (allowed: boolean, person = bob) =>
  as(person)("PATCH", `${M}/${number}`, { maintainer_can_modify: allowed });
const address = (token: string) => addressWithToken(server.webUrl, "bob/engine", token);

let commits = 0;
const tree = () => `${ssh.git.home}/tree`;
/** One more commit on what the branch has. */
async function commit(): Promise<string> {
  await ssh.git.ok(["fetch", "-q"], { cwd: tree() });
  await ssh.git.ok(["checkout", "-q", "--detach", "origin/topic"], { cwd: tree() });
  return ssh.git.commit(tree(), { [`m${(commits += 1)}.txt`]: "m\n" }, "By a maintainer");
}
/** What is checked out, to these refs of the fork. */
function push(refs: string[], { token = mary!.token, url = address(token), env = {} }: PushBy = {}) {
  return ssh.git.run(["push", url, ...refs], { cwd: tree(), env });
}
interface PushBy {
  token?: string;
  url?: string;
  env?: Record<string, string>;
}

it("lets who may merge push to the branch, over HTTPS and SSH, and by operations; others not", async () => {
  expect((await as(ada)("GET", `${M}/${number}`)).json).toMatchObject({ maintainer_can_modify: true });
  const first = await commit();
  expect(await push(["HEAD:refs/heads/topic"])).toMatchObject({ code: 0 });
  expect(await fork.tipOf("topic")).toBe(first);
  const env = ssh.env(await ssh.keyOf(mary!));
  const second = await commit();
  const overSsh = await push(["+HEAD:refs/heads/topic"], { url: ssh.address("bob/engine"), env });
  expect([overSsh.code, await fork.tipOf("topic")]).toEqual([0, second]);
  const stranger = await push(["HEAD:refs/heads/topic"], { token: cal!.token });
  expect(stranger).toMatchObject({ code: 128, stderr: expect.stringMatching(/403/) });
  await branchesOver(as(ada), R).put("main", "main.txt", "1\n");
  expect((await as(cal)("POST", `${M}/${number}/update-branch`, {})).status).toBe(403);
  const updated = await as(mary)("POST", `${M}/${number}/update-branch`, {});
  expect([updated.status, updated.json.changed]).toEqual([200, true]);
  const tip = updated.json.sha as string;
  expect(await fork.commitOf(tip)).toMatchObject({ author: { username: "mary" } });
  await eventually(async () => (await as(ada)("GET", `${M}/${number}`)).json.head_sha === tip);
  const { query } = server.container.platform.db;
  const audited = "select actor_username, target_name, details from audit_log where action = $1 order by seq";
  const entry = {
    actor_username: "mary",
    target_name: "bob/engine",
    details: { branch: "topic", merge_request: `ada/engine!${number}` },
  };
  expect(await query(audited, ["push.invited"])).toEqual([entry, entry, entry]);
});

it("lets them push to nothing else: no other branch, new one or tag, no deletion, no contents", async () => {
  const before = await fork.tipOf("topic");
  await commit();
  for (const refs of [
    ["HEAD:refs/heads/other"],
    ["HEAD:refs/heads/main"],
    ["HEAD:refs/heads/new"],
    ["HEAD:refs/heads/topic/new"],
    ["HEAD:refs/tags/v1"],
    [":refs/heads/topic"],
    // All or nothing.
    ["HEAD:refs/heads/topic", "HEAD:refs/heads/new"],
    ["HEAD:refs/merge-requests/1/head"],
  ]) {
    expect([refs, (await push(refs)).code]).toEqual([refs, 1]);
  }
  expect(await fork.tipOf("topic")).toBe(before);
  const change = { branch: "topic", message: "x", content: "eA==" };
  const branch = { name: "made", ref: "main" };
  for (const [method, path, body] of [
    ["PUT", "/contents/x.txt", change],
    ["POST", "/branches", branch],
    ["DELETE", "/branches/topic", undefined],
  ] as const)
    expect((await as(mary)(method, fork_ + path, body)).status).toBe(403);
  const narrow = await server.tokenFor(mary!, ["repo:read", "mr:write"]);
  expect(await push(["HEAD:refs/heads/topic"], { token: narrow })).toMatchObject({ code: 128 });
  const update = await as(mary, narrow)("POST", `${M}/${number}/update-branch`, { method: "rebase" });
  expect(update.json.error).toBe("insufficient_scope");
});

it("takes large files of a push by invitation, no lock, and nothing from anybody else", async () => {
  const [repository, large, later] = ["bob/engine", lfsObject("large\n"), lfsObject("later\n")];
  const lfs = (path: string, body: object, token: string) =>
    lfsCall(server, "POST", { repository, path }, { token, body });
  expect((await lfsUpload(server, repository, large, mary!.token)).status).toBe(200);
  const [stored] = (await lfsBatch(server, repository, "download", [large], cal!.token)).json.objects;
  expect(stored.actions.download.href).toEqual(expect.any(String));
  expect((await lfs("/locks/verify", {}, mary!.token)).json).toEqual({ ours: [], theirs: [] });
  expect((await lfs("/locks", { path: "a.bin" }, mary!.token)).status).toBe(403);
  const narrow = await server.tokenFor(mary!, ["repo:read", "mr:write"]);
  for (const token of [cal!.token, narrow]) {
    expect((await lfsBatch(server, repository, "upload", [later], token)).status).toBe(403);
    expect((await lfs("/locks/verify", {}, token)).status).toBe(403);
  }
  const [begun] = (await lfsBatch(server, repository, "upload", [later], mary!.token)).json.objects;
  await allow(false);
  expect((await send(server, begun.actions.upload, later.bytes)).status).toBe(403);
  const confirmed = await lfsCall(server, "POST", begun.actions.verify.href, {
    body: { oid: later.oid, size: later.size },
  });
  expect(confirmed.status).toBe(403);
  expect((await lfsBatch(server, repository, "upload", [later], mary!.token)).status).toBe(403);
  await allow(true);
});

it("runs what the fork says with no right of whoever pushes but those in the fork", async () => {
  await as(mary)("POST", "/repos", { name: "library", readme: true, visibility: "private" });
  const library = branchesOver(as(mary), "/repos/mary/library");
  await library.put("main", "t.yml", 'steps: [{ run: "true" }]\n');
  const text = "on: [push]\nimage: busybox\nsteps:\n  - uses: mary/library//t.yml@main\n";
  const own = "on: [push]\nimage: busybox\nsteps:\n  - run: make\n";
  await fork.put("topic", ".forgeline/reads.yml", text);
  await fork.put("topic", ".forgeline/runs.yml", own);
  const sha = await commit();
  expect(await push(["HEAD:refs/heads/topic"])).toMatchObject({ code: 0 });
  const { query } = server.container.platform.db;
  const runs =
    "select p.file, p.status, p.starts_elsewhere from pipelines p where p.sha = $1 order by p.file";
  expect(await query(runs, [sha])).toEqual([
    { file: ".forgeline/reads.yml", status: "error", starts_elsewhere: false },
    { file: ".forgeline/runs.yml", status: expect.any(String), starts_elsewhere: false },
  ]);
  const reaches =
    "select distinct reach from pushes where updates @> jsonb_build_array(jsonb_build_object('after', $1::text))";
  expect(await query(reaches, [sha])).toEqual([{ reach: "here" }]);
});

it("obeys rules of the fork as somebody with Write there does", async () => {
  const rule = { pattern: "topic", push_level: "maintain" };
  const made = await as(bob)("POST", `${fork_}/branch-protections`, rule);
  expect(made.status).toBe(201);
  await commit();
  const closed = await push(["HEAD:refs/heads/topic"]);
  expect(closed).toMatchObject({ code: 1, stderr: expect.stringMatching(/rule "topic" allows only level/) });
  await as(bob)("PATCH", `${fork_}/branch-protections/${made.json.id}`, { push_level: "write" });
  expect(await push(["HEAD:refs/heads/topic"])).toMatchObject({ code: 0 });
  // A rebase replaces what is there.
  expect(await push(["+HEAD^^:refs/heads/topic"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/does not allow force pushes/),
  });
  expect(await push(["HEAD:refs/heads/new", "HEAD:refs/heads/topic"])).toMatchObject({ code: 1 });
  // Another ref that is refused does not keep the rules from the branch.
  const tip = await fork.tipOf("topic");
  for (const other of ["new", "other"])
    expect(await push(["+HEAD^^:refs/heads/topic", `HEAD:refs/heads/${other}`])).toMatchObject({ code: 1 });
  expect(await fork.tipOf("topic")).toBe(tip);
  await as(bob)("DELETE", `${fork_}/branch-protections/${made.json.id}`);
});

it("is for the author to say, with a credential that may push, and of a fork", async () => {
  expect((await allow(false, ada)).status).toBe(403);
  expect((await allow(false)).json).toMatchObject({ maintainer_can_modify: false });
  expect(await push(["HEAD:refs/heads/topic"])).toMatchObject({ code: 128 });
  expect((await as(mary)("POST", `${M}/${number}/rebase`, {})).status).toBe(403);
  const narrow = await server.tokenFor(bob!, ["repo:read", "mr:write"]);
  const wanted = { maintainer_can_modify: true };
  const unscoped = await as(bob, narrow)("PATCH", `${M}/${number}`, wanted);
  expect(unscoped.json.error).toBe("insufficient_scope");
  expect((await propose("other", wanted, narrow)).json.error).toBe("insufficient_scope");
  const quiet = await propose("other", {}, narrow);
  expect([quiet.status, quiet.json.maintainer_can_modify]).toEqual([201, false]);
  await branchesOver(as(ada), R).branch("own", { "own.txt": "1\n" });
  const own = await as(ada)("POST", M, { title: "x", source_branch: "own", ...wanted });
  expect([own.status, own.json.errors?.[0].field]).toEqual([422, "maintainer_can_modify"]);
  expect((await allow(true)).json).toMatchObject(wanted);
  const { query } = server.container.platform.db;
  const audited =
    "select actor_username, details from audit_log where action = 'merge_request.edits' order by seq";
  expect(await query(audited, [])).toEqual(
    [true, false, true, false, true].map((allowed) => ({
      actor_username: "bob",
      details: { merge_request: `ada/engine!${number}`, allowed },
    })),
  );
});

it("does not end with many merge requests of somebody who may not push there any more", async () => {
  const { query } = server.container.platform.db;
  const made = `
    with m as (select repository_id, source_repository_id, head_sha, target_sha from merge_requests limit 1),
    items as (
      insert into work_items (id, repository_id, number, kind, title, author_id)
      select 'mr_zz' || n, m.repository_id, 1000 + n, 'merge_request', 'x', u.id
      from m, users u, generate_series(1, 120) n where u.username = 'cal' returning id, repository_id
    )
    insert into merge_requests (id, repository_id, source_repository_id, source_branch, target_branch, head_sha, target_sha, maintainer_can_modify)
    select i.id, i.repository_id, m.source_repository_id, 'topic', i.id, m.head_sha, m.target_sha, true from items i, m`;
  await query(made, []);
  await commit();
  expect(await push(["HEAD:refs/heads/topic"])).toMatchObject({ code: 0 });
  await query("delete from work_items where id like 'mr_zz%'", []);
});

it("ends with the right of the author or of the maintainer, with sight of the fork, and with the merge request", async () => {
  const { query } = server.container.platform.db;
  const may = async () => (await push(["HEAD:refs/heads/topic"])).code === 0;
  await commit();
  expect(await may()).toBe(true);
  await query("update users set suspended = true where username = 'bob'", []);
  expect(await may()).toBe(false);
  await query("update users set suspended = false where username = 'bob'", []);
  await as(ada)("PUT", `${R}/collaborators/mary`, { permission: "triage" });
  expect(await may()).toBe(false);
  await as(ada)("PUT", `${R}/collaborators/mary`, { permission: "write" });
  await as(bob)("PATCH", fork_, { visibility: "private" });
  expect(await push(["HEAD:refs/heads/topic"])).toMatchObject({
    code: 128,
    stderr: expect.stringMatching(/not found/),
  });
  const hidden = await as(mary)("POST", `${M}/${number}/update-branch`, {});
  expect([hidden.status, hidden.json.message]).toEqual([
    403,
    expect.stringMatching(/cannot see the repository/),
  ]);
  await as(bob)("PATCH", fork_, { visibility: "public" });
  expect(await may()).toBe(true);
  await as(bob)("POST", `${M}/${number}/close`);
  expect(await may()).toBe(false);
  // What the author ended so, nobody else brings back.
  const reopen = async (person: TestPerson | undefined) =>
    (await as(person)("POST", `${M}/${number}/reopen`)).json.maintainer_can_modify;
  expect([await reopen(mary), await may()]).toEqual([false, false]);
  const last =
    "select actor_username, details from audit_log where action = 'merge_request.edits' order by seq desc limit 1";
  expect(await query(last, [])).toEqual([
    { actor_username: "mary", details: { merge_request: `ada/engine!${number}`, allowed: false } },
  ]);
  await allow(true);
  await as(bob)("POST", `${M}/${number}/close`);
  expect([await reopen(bob), await may()]).toEqual([true, true]);
});
