/** Comparing with a branch of a fork before it is proposed: what is told, to whom, and that neither repository gets anything. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Comparison } from "@forgeline/schemas/commits/resource.ts";
import { bringCommit } from "../../../../server/platform/git/merging/bring-commit.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver, type BranchesOverRest } from "../../../support/branches-over-rest.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let eve: TestPerson;
let upstream: BranchesOverRest;
let fork: BranchesOverRest;
let ids: { upstream: string; fork: string };
const R = "/repos/ada/engine";
const F = "/repos/bob/secret";

beforeAll(async () => {
  server = await startApiServer();
  [ada, bob, eve] = [await server.person("ada"), await server.person("bob"), await server.person("eve")];
  const made = await as(ada)("POST", "/repos", { name: "engine", readme: true, private: false });
  upstream = branchesOver(as(ada), R);
  await upstream.put("main", "a.txt", "1\n2\n3\n");
  const forked = await as(bob)("POST", `${R}/forks`, { name: "secret" });
  await as(bob)("PATCH", F, { private: true });
  fork = branchesOver(as(bob), F);
  ids = { upstream: made.json.id, fork: forked.json.id };
});
afterAll(() => server?.stop());

const as =
  ({ token }: { token: string }) =>
  (method: string, path: string, body?: unknown) =>
    server.api(method, path, { token, body });
const preview = (basehead: string, more = "", by: { token: string } = bob) =>
  as(by)("GET", `${R}/compare/${basehead}?head_repo=bob/secret${more}`);
const messages = ({ commits }: Comparison) => commits.map(({ message }) => message.trim());

async function objects(repositoryId: string): Promise<{ names: string[]; refs: string; entries: string[] }> {
  const { git, storage } = server.container.platform;
  const directory = storage.directory(repositoryId);
  const [all, refs] = await Promise.all([
    git.run({ directory, args: ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"] }),
    git.run({ directory, args: ["for-each-ref"] }),
  ]);
  const entries = await readdir(join(directory, "objects"));
  return {
    names: all.stdout.toString().trim().split("\n"),
    refs: refs.stdout.toString(),
    entries: entries.filter((name) => name.startsWith("tmp_")),
  };
}

async function gitInFork(...args: string[]): Promise<string> {
  const { git, storage } = server.container.platform;
  const person = {
    GIT_AUTHOR_NAME: "x",
    GIT_AUTHOR_EMAIL: "x@x",
    GIT_COMMITTER_NAME: "x",
    GIT_COMMITTER_EMAIL: "x@x",
  };
  const { stdout } = await git.run({ directory: storage.directory(ids.fork), args, env: person });
  return stdout.toString().trim();
}

test("commits, files and conflicts of a fork's branch are told, and nothing comes over", async () => {
  const base = await upstream.tipOf("main");
  const head = await fork.branch("topic", { "a.txt": "1\ntwo\n3\n", "b.txt": "b\n" });
  const moved = await upstream.put("main", "c.txt", "c\n");
  const before = [await objects(ids.upstream), await objects(ids.fork)];
  const clean = await preview("main...topic", "&conflicts=true");
  expect([clean.status, clean.json.message]).toEqual([200, undefined]);
  const { status, ahead_by: ahead, behind_by: behind, conflicts } = clean.json;
  expect([status, ahead, behind, conflicts]).toEqual(["diverged", 2, 1, []]);
  expect(messages(clean.json)).toEqual(["Write b.txt", "Write a.txt"]);
  expect(clean.json.files.map(({ path }: { path: string }) => path)).toEqual(["a.txt", "b.txt"]);
  expect(clean.json).toMatchObject({
    base_commit: { sha: moved, url: expect.stringContaining("/ada/engine/") },
    head_commit: { sha: head, url: expect.stringContaining("/bob/secret/") },
    merge_base_commit: { sha: base },
    url: expect.stringMatching(/ada\/engine\/compare\/main\.\.\.topic\?head_repo=bob%2Fsecret$/),
  });
  expect((await as(bob)("GET", `${F}/changes/${base}...${head}`)).headers["x-total-count"]).toBe("2");
  await upstream.branch("other", { "a.txt": "1\nzwei\n3\n" });
  expect((await preview("other...topic", "&conflicts=true")).json.conflicts).toEqual(["a.txt"]);
  expect((await preview("other...topic")).json.conflicts).toBe(null);
  expect((await as(ada)("GET", `${R}/compare/main...other?conflicts=true`)).json.conflicts).toEqual([]);
  expect(await objects(ids.fork)).toEqual(before[1]);
  const after = await objects(ids.upstream);
  expect(after.names).not.toContain(head);
  expect([after.refs.includes("topic"), after.entries]).toEqual([false, []]);
});

test("several merge bases count each commit once, and branches without common history have no files", async () => {
  const mine = await fork.branch("cross", { "mine.txt": "1\n" });
  const theirs = await upstream.branch("cross", { "theirs.txt": "1\n" });
  const opened = await as(bob)("POST", `${R}/merge-requests`, {
    title: "Cross",
    source_repo: "bob/secret",
    source_branch: "cross",
    target_branch: "cross",
  });
  const merged = await as(ada)("PUT", `${R}/merge-requests/${opened.json.number}/merge`, {});
  expect([merged.status, merged.json.message]).toEqual([200, undefined]);
  const { git, storage } = server.container.platform;
  const [directory, from] = [storage.directory(ids.fork), storage.directory(ids.upstream)];
  const bounds = { has: [mine], maxBytes: 1_000_000, signal: AbortSignal.timeout(10_000) };
  await bringCommit(git, { directory, from, commit: theirs, ...bounds });
  const both = await gitInFork("commit-tree", `${mine}^{tree}`, "-p", mine, "-p", theirs, "-m", "Both");
  await gitInFork("update-ref", "refs/heads/cross", both);
  const { json } = await preview("cross...cross");
  expect([json.ahead_by, json.behind_by, messages(json)]).toEqual([1, 1, ["Both"]]);

  const alone = await gitInFork("commit-tree", `${mine}^{tree}`, "-m", "Alone");
  await gitInFork("update-ref", "refs/heads/alone", alone);
  const apart = await preview("main...alone", "&conflicts=true");
  const { merge_base_commit: shared, files, conflicts } = apart.json;
  expect([apart.status, shared, files, conflicts]).toEqual([200, null, [], null]);
});

test("who may read only one of both, or sees none of a commit, is told nothing", async () => {
  const gone = await fork.branch("gone", { "gone.txt": "secret\n" });
  await as(bob)("DELETE", `${F}/branches/gone`);
  const limited = { name: "x", scopes: ["repo:read"], repositories: ["ada/engine"] };
  const { token } = (await as(bob)("POST", "/user/tokens", limited)).json;
  await as(eve)("POST", "/repos", { name: "own", readme: true });
  const hidden = await upstream.put("main", "d.txt", "d\n");
  const refused = [
    await preview("main...topic", "", eve),
    await preview("main...topic", "", ada),
    await server.api("GET", `${R}/compare/main...topic?head_repo=bob/secret`),
    await preview("main...topic", "", { token }),
    await preview(`main...${gone}`),
    await preview(`${await fork.tipOf("topic")}...topic`),
    await preview(`main...${hidden}`),
    await as(eve)("GET", `${R}/compare/main...main?head_repo=eve/own`),
    await as(bob)("GET", `${R}/compare/main...main?head_repo=bob/absent`),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
  expect(refused.map(({ text }) => text).join("")).not.toMatch(/secret\b.*gone|Write/);
  expect((await as(bob)("GET", `${R}/compare/main...main?head_repo=nobody`)).status).toBe(400);

  await as(bob)("PUT", `${F}/collaborators/eve`, { permission: "read" });
  await as(ada)("PATCH", R, { private: true });
  expect((await preview("main...topic", "", eve)).status).toBe(404);
  await as(ada)("PUT", `${R}/collaborators/eve`, { permission: "read" });
  expect((await preview("main...topic", "", eve)).status).toBe(200);
  await as(bob)("DELETE", `${F}/collaborators/eve`);
  expect((await preview("main...topic", "", eve)).status).toBe(404);
});
