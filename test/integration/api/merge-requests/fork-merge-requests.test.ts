/** Merge requests from forks over REST: who may propose, what comes over and what never does, and what becomes of them with the fork. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver, type BranchesOverRest } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { lfsObject, lfsUpload } from "../../../support/lfs-server.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let upstream: BranchesOverRest;
let targetId: string;
/** Of those that merge. */
let strategies: Awaited<ReturnType<typeof fork>> | undefined;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_MAX_REPOSITORY_BYTES: String(3 * 1024 * 1024) } });
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
  targetId = (await as(ada)("POST", "/repos", { name: "engine", readme: true, private: false })).json.id;
  upstream = branchesOver(as(ada), R);
  await upstream.put("main", "a.txt", "1\n2\n3\n");
});
afterAll(() => server?.stop());

const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });

/** Of bob's; `over` works in it as him. */
async function fork(name: string) {
  const made = await as(bob)("POST", `${R}/forks`, { name });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  const path = `/repos/bob/${name}`;
  return { id: made.json.id as string, path, fullName: `bob/${name}`, ...branchesOver(as(bob), path) };
}

const propose = (source_repo: string, source_branch: string, more: object = {}) =>
  as(bob)("POST", M, { title: `Bring ${source_branch}`, source_repo, source_branch, ...more });
async function open(fullName: string, branch: string): Promise<number> {
  const made = await propose(fullName, branch);
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  return made.json.number;
}
const show = async (number: number, person = ada) => (await as(person)("GET", `${M}/${number}`)).json;
const compared = (number: number) =>
  eventually(async () => {
    const found = await show(number);
    return found.mergeable !== "checking" && found;
  });
const hasHead = (number: number, sha: string) =>
  eventually(async () => {
    const found = await compared(number);
    return found.head_sha === sha && found;
  });
async function has(oid: string): Promise<boolean> {
  const { git, storage } = server.container.platform;
  const { exitCode } = await git.run({
    directory: storage.directory(targetId),
    args: ["cat-file", "-e", oid],
    acceptExitCodes: [0, 1, 128],
  });
  return exitCode === 0;
}

it("is proposed by an outsider, and follows what is pushed to the fork; nothing else of it comes", async () => {
  const mine = await fork("follow");
  const hidden = await mine.branch("hidden", { "secret.txt": "hidden\n" });
  const head = await mine.branch("topic", { "b.txt": "b\n" });
  const made = await propose(mine.fullName, "topic");
  expect(made.json).toMatchObject({
    author: { username: "bob" },
    source_branch: "topic",
    source_repo: { id: mine.id, full_name: "bob/follow" },
    source_problem: null,
    head_sha: head,
    merge_base_sha: await upstream.tipOf("main"),
    viewer_may: { edit: true, close: true, merge: false },
  });
  const { number } = made.json;
  expect((await propose(mine.fullName, "topic")).status).toBe(409);
  expect(await compared(number)).toMatchObject({ mergeable: "clean" });
  const next = await mine.put("topic", "c.txt", "c\n");
  expect(await hasHead(number, next)).toMatchObject({ mergeable: "clean" });
  const files = (await as(ada)("GET", `${M}/${number}/files`)).json as { path: string }[];
  expect(files.map(({ path }) => path)).toEqual(["b.txt", "c.txt"]);
  expect((await as(ada)("GET", `${M}/${number}/commits`)).json).toMatchObject([{ sha: next }, { sha: head }]);
  const timeline = (await as(ada)("GET", `${M}/${number}/timeline`)).json;
  expect(timeline).toMatchObject([{ kind: "pushed", actor: { username: "bob" } }]);
  expect([await has(next), await has(hidden)]).toEqual([true, false]);
  expect((await as(ada)("GET", `${R}/raw/${next}/c.txt`)).text).toBe("c\n");
  for (const path of [
    `/commits/${hidden}`,
    `/contents/secret.txt?ref=${hidden}`,
    `/raw/${hidden}/secret.txt`,
    `/tarball/${hidden}`,
  ])
    expect((await as(ada)("GET", R + path)).status).toBe(404);
  await as(bob)("DELETE", `${mine.path}/branches/topic`);
  const closed = await eventually(async () => {
    const found = await show(number);
    return found.state === "closed" && found;
  });
  expect(closed).toMatchObject({ closed_by: { username: "bob" }, head_sha: next });
  const again = await as(bob)("POST", `${M}/${number}/reopen`);
  expect([again.status, again.json.errors?.[0]]).toMatchObject([422, { field: "source_branch" }]);
});

it("takes Write where the branch is, and reading where it goes", async () => {
  const mine = await fork("rights");
  await mine.branch("topic", { "rights.txt": "r\n" });
  const own = await as(bob)("POST", M, { title: "x", source_branch: "main" });
  expect([own.status, own.json.message]).toEqual([403, expect.stringMatching(/Fork it, push there/)]);
  await as(ada)("POST", "/repos", { name: "other", readme: true, private: false });
  await as(ada)("POST", "/repos", { name: "hidden", readme: true });
  await as(bob)("POST", "/repos", { name: "alone", readme: true });
  for (const [name, code] of [
    ["ada/none", "unknown"],
    ["ada/hidden", "unknown"],
    ["ada/other", "not_allowed"],
    ["bob/alone", "unrelated"],
  ] as const) {
    const { status, json } = await propose(name, "main");
    expect([name, status, json.errors?.[0]]).toMatchObject([name, 422, { field: "source_repo", code }]);
  }
  expect((await propose(mine.fullName, "topic", { labels: ["any"] })).status).toBe(403);
  for (const [branch, field, more] of [
    ["none", "source_branch", {}],
    ["main", "source_branch", {}],
    ["topic", "target_branch", { target_branch: "none" }],
  ] as const) {
    const { status, json } = await propose(mine.fullName, branch, more);
    expect([status, json.errors?.[0]]).toMatchObject([422, { field }]);
  }
  const wanted = { title: "x", source_repo: mine.fullName, source_branch: "topic" };
  const scoped = as({ ...bob, token: await server.tokenFor(bob, ["mr:write"]) });
  expect((await scoped("POST", M, wanted)).json.error).toBe("insufficient_scope");
  await as(bob)("POST", `${mine.path}/archive`);
  expect((await propose(mine.fullName, "topic")).json.errors?.[0]).toMatchObject({ code: "archived" });
});

it.each(["merge", "squash", "rebase", "fast_forward"] as const)("is merged by %s", async (strategy) => {
  // One that has what the target got meanwhile.
  if (strategy === "fast_forward") strategies = undefined;
  strategies ??= await fork(strategy);
  const head = await strategies.branch(strategy, { [`${strategy}.txt`]: "1\n" });
  const number = await open(strategies.fullName, strategy);
  if (strategy !== "fast_forward") await upstream.put("main", `${strategy}-else.txt`, "meanwhile\n");
  expect((await as(bob)("PUT", `${M}/${number}/merge`, {})).status).toBe(403);
  const wanted = { strategy, delete_source_branch: true };
  const stale = await as(ada)("PUT", `${M}/${number}/merge`, {
    ...wanted,
    sha: await upstream.tipOf("main"),
  });
  expect(stale.status).toBe(409);
  const merged = await as(ada)("PUT", `${M}/${number}/merge`, { ...wanted, sha: head });
  expect([merged.status, merged.json.message]).toEqual([200, undefined]);
  const tip = await upstream.tipOf("main");
  expect(merged.json).toMatchObject({ state: "merged", merge_sha: tip, head_sha: head });
  const { message } = await upstream.commitOf(tip);
  expect(message.startsWith("Merge branch 'bob:merge' into main\n")).toBe(strategy === "merge");
  // Ada may not push to the fork.
  expect(await strategies.tipOf(strategy)).toBe(head);
});

it("brings large files, and deletes the branch of a fork for who may push to both", async () => {
  const mine = strategies ?? (await fork("deletes"));
  const file = lfsObject("large");
  await lfsUpload(server, mine.fullName, file, bob.token);
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${file.oid}\nsize ${file.size}\n`;
  await mine.branch("topic", { "large.bin": pointer });
  await as(bob)("PUT", `${mine.path}/collaborators/ada`, { permission: "write" });
  await branchesOver(as(ada), mine.path).put("topic", "by-ada.txt", "1\n");
  const number = await open(mine.fullName, "topic");
  const merged = await as(ada)("PUT", `${M}/${number}/merge`, { delete_source_branch: true });
  expect(merged.status).toBe(200);
  expect(await mine.tipOf("topic")).toBeUndefined();
  const { db } = server.container.platform;
  // Not bob, who opened it.
  expect(
    await db.query("select pusher_id from merge_request_subjects where repository_id = $1 and number = $2", [
      targetId,
      number,
    ]),
  ).toEqual([{ pusher_id: ada.id }]);
  const stored = await db.query(
    "select oid from lfs_objects where repository_id = $1 and stored_at is not null",
    [targetId],
  );
  expect(stored).toEqual([{ oid: file.oid }]);
});

it("stays, and can be merged, when the fork is deleted", async () => {
  const mine = await fork("gone");
  const head = await mine.branch("topic", { "gone.txt": "1\n" });
  const number = await open(mine.fullName, "topic");
  expect((await as(bob)("DELETE", mine.path)).status).toBe(204);
  expect(await show(number)).toMatchObject({ state: "open", source_repo: null, head_sha: head });
  for (const change of ["close", "reopen"])
    expect((await as(bob)("POST", `${M}/${number}/${change}`)).status).toBe(200);
  const merged = await as(ada)("PUT", `${M}/${number}/merge`, { delete_source_branch: true });
  expect([merged.status, merged.json.message]).toEqual([200, undefined]);
});

it("does not follow a fork that fewer people see, or to which its author may not push, until that changes", async () => {
  const mine = await fork("private");
  const head = await mine.branch("topic", { "private.txt": "1\n" });
  const number = await open(mine.fullName, "topic");
  await as(bob)("PATCH", mine.path, { visibility: "private", name: "renamed" });
  const moved = { ...mine, ...branchesOver(as(bob), "/repos/bob/renamed") };
  const secret = await moved.put("topic", "more.txt", "2\n");
  const stopped = await eventually(async () => {
    const found = await compared(number);
    return found.source_problem !== null && found;
  });
  expect(stopped).toMatchObject({
    head_sha: head,
    mergeable: "clean",
    // Not its new name.
    source_repo: { full_name: "bob/private" },
    source_problem: expect.stringMatching(/fewer people see its repository now/),
  });
  expect(await has(secret)).toBe(false);
  for (const change of ["close", "reopen"]) await as(bob)("POST", `${M}/${number}/${change}`);
  expect(await hasHead(number, secret)).toMatchObject({ source_problem: null });
  const shared = { proposed_to: "ada/engine", number };
  expect(
    await server.container.platform.db.query(
      "select actor_username, details from audit_log where action = 'merge_request.share'",
    ),
  ).toEqual([{ actor_username: "bob", details: shared }]);
  await server.container.platform.db.query("update users set suspended = true where id = $1", [bob.id]);
  const { db } = server.container.platform;
  await db.query("update merge_requests set head_sha = $1, check_due_at = now() where head_sha = $2", [
    head,
    secret,
  ]);
  const lost = await eventually(async () => {
    const found = await show(number);
    return found.source_problem !== null && found;
  });
  expect(lost).toMatchObject({ head_sha: head, source_problem: expect.stringMatching(/may not push/) });
  await db.query("update users set suspended = false where id = $1", [bob.id]);
});

it("is hidden from its author where they may not see the target any more", async () => {
  const mine = await fork("locked-out");
  await mine.branch("topic", { "locked.txt": "1\n" });
  const number = await open(mine.fullName, "topic");
  await as(ada)("PATCH", R, { visibility: "private" });
  expect((await as(bob)("GET", `${M}/${number}`)).status).toBe(404);
  expect((await propose(mine.fullName, "topic")).status).toBe(404);
  const next = await mine.put("topic", "next.txt", "2\n");
  const found = await eventually(async () => {
    const shown = await show(number);
    return shown.source_problem !== null && shown;
  });
  expect([found.head_sha === next, await has(next)]).toEqual([false, false]);
  await as(ada)("PATCH", R, { visibility: "public" });
});

it("is refused where the repository would get too large", async () => {
  const mine = await fork("large");
  await mine.branch("topic", { "large.txt": "1\n" });
  const { db } = server.container.platform;
  const full = async (bytes: number) =>
    db.query(
      "update repository_measurements set git_bytes = $2, due_at = now() + interval '1 hour' where repository_id = $1",
      [targetId, bytes],
    );
  await full(3 * 1024 * 1024);
  const refused = await propose(mine.fullName, "topic");
  expect([refused.status, refused.json.error]).toEqual([403, "quota_exceeded"]);
  // Somebody without Write may fill a tenth of what is left.
  await full(3 * 1024 * 1024 - 1_000);
  expect((await propose(mine.fullName, "topic")).json.error).toBe("quota_exceeded");
  await full(0);
  expect((await propose(mine.fullName, "topic")).status).toBe(201);
});
