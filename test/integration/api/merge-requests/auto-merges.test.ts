/** Merge requests that are merged by themselves: as soon as nothing stands in the way, for whoever asked, or not at all. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { seed, size } from "../../../support/size.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let cat: TestPerson;
let repositoryId: string;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
beforeAll(async () => {
  server = await startApiServer();
  [ada, bob, cat] = [await server.person("ada"), await server.person("bob"), await server.person("cat")];
  const made = await api("POST", "/repos", { name: "engine", visibility: "public", readme: true });
  repositoryId = made.json.id;
  for (const name of ["bob", "cat"]) await api("PUT", `${R}/collaborators/${name}`, { permission: "write" });
});
afterAll(() => server?.stop());

const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);
const { put, branch, tipOf, commitOf } = branchesOver((...request) => api(...request), R);
const query = (sql: string, values: unknown[]) => server.container.platform.db.query(sql, values);

let count = 0;
/** A merge request by ada into a branch of its own, which a rule may protect. */
async function proposed({ rule, files = {} }: { rule?: object; files?: Record<string, string> } = {}) {
  count += 1;
  const [target, source] = [`target-${count}`, `source-${count}`];
  await api("POST", `${R}/branches`, { name: target, ref: "main" });
  const head = await branch(source, { [`${source}.txt`]: "a\n", ...files });
  if (rule) await api("POST", `${R}/branch-protections`, { pattern: target, push_level: "write", ...rule });
  const opened = await api("POST", M, { title: source, source_branch: source, target_branch: target });
  expect([opened.status, opened.json.message]).toEqual([201, undefined]);
  return { target, source, head, number: opened.json.number as number, at: `${M}/${opened.json.number}` };
}

const enable = (at: string, body: object = {}, person = ada) => as(person)("PUT", `${at}/auto-merge`, body);
const show = async (at: string) => (await api("GET", at)).json;
const state = (at: string, wanted: string) =>
  eventually(async () => {
    const found = await show(at);
    return found.state === wanted && found;
  });
/** The last thing that the timeline says of it. */
const ended = (at: string) =>
  eventually(async () => {
    const { json } = await api("GET", `${at}/timeline?per_page=100`);
    return json.findLast((event: { kind: string }) => event.kind === "auto_merge_disabled");
  });
const waits = (at: string) =>
  eventually(async () => {
    const found = await show(at);
    return found.mergeable !== "checking" && found;
  });

it("merges at once where nothing is missing, and after the approval where one is", async () => {
  const free = await proposed();
  await waits(free.at);
  await enable(free.at, { strategy: "squash", delete_source_branch: true });
  expect(await state(free.at, "merged")).toMatchObject({
    merge_strategy: "squash",
    merged_by: { username: "ada" },
    auto_merge: null,
  });
  const { target, head, at } = await proposed({ rule: { required_approvals: 1 } });
  const asked = await enable(at, { commit_message: "Land it" });
  expect([asked.status, asked.json.state, asked.json.auto_merge]).toMatchObject([
    200,
    "open",
    { strategy: "merge", enabled_by: { username: "ada" }, delete_source_branch: false, sha: null },
  ]);
  await as(bob)("POST", `${at}/reviews`, { event: "approve", commit_sha: head, body: "So." });
  const merged = await state(at, "merged");
  expect(await tipOf(target)).toBe(merged.merge_sha);
  expect((await commitOf(merged.merge_sha)).message).toContain("Land it");
  expect((await api("GET", `${at}/timeline`)).json).toContainEqual(
    expect.objectContaining({ kind: "merged", reason: "auto_merge" }),
  );
  const refused = await enable(at);
  expect([refused.status, refused.json.message]).toEqual([409, "It is merged already."]);
});

it("takes the scope of a push where a rule would ask for it of a direct merge", async () => {
  const limited = { ...ada, token: await server.tokenFor(ada, ["mr:write", "repo:read"]) };
  const { at } = await proposed({ rule: { required_approvals: 1 } });
  const refused = await enable(at, {}, limited);
  expect([refused.status, refused.json.error, refused.json.required_scopes]).toEqual([
    403,
    "insufficient_scope",
    ["repo:write"],
  ]);
  const free = await proposed();
  await api("PATCH", free.at, { draft: true });
  expect((await enable(free.at, {}, limited)).status).toBe(200);
  await api("POST", `${R}/branch-protections`, { pattern: free.target, push_level: "write" });
  await api("PATCH", free.at, { draft: false });
  expect(await ended(free.at)).toMatchObject({ reason: "scope" });
  expect(await show(free.at)).toMatchObject({ state: "open", auto_merge: null });
});

it("waits for the runs of the head, past one that has failed, and follows pushes to a new head", async () => {
  const file = { ".forgeline/all.yml": "on: { push: {} }\nimage: busybox\nsteps: ['true']\n" };
  const { at, source } = await proposed({ files: file });
  const waiting = await api("PUT", `${at}/merge`, { strategy: "merge", when_pipeline_succeeds: true });
  expect([waiting.status, waiting.json.state]).toEqual([200, "open"]);
  // What is said of the runs may still be of the older head.
  const end = (sha: string, status: string) =>
    eventually(async () => {
      const ended = await query(
        "update pipelines set status = $3, finished_at = now() where repository_id = $1 and sha = $2 returning id",
        [repositoryId, sha, status],
      );
      return ended.length > 0;
    });
  const head = await put(source, "more.txt", "more\n");
  const problem = (text: string) =>
    eventually(async () => (await show(at)).auto_merge?.problem?.includes(text));
  await problem("have not ended");
  await end(head, "failed");
  await problem("has not succeeded");
  await end(head, "success");
  expect(await state(at, "merged")).toMatchObject({ head_sha: head });
});

it("ends with a reason: cancelled, closed, another target, another head, a conflict", async () => {
  const rule = { required_approvals: 1 };
  const cancelled = await proposed({ rule });
  await enable(cancelled.at);
  expect((await as(bob)("DELETE", `${cancelled.at}/auto-merge`)).json.auto_merge).toBe(null);
  expect(await ended(cancelled.at)).toMatchObject({ reason: "cancelled", actor: { username: "bob" } });
  expect((await api("DELETE", `${cancelled.at}/auto-merge`)).status).toBe(200);
  await enable(cancelled.at);
  await api("POST", `${cancelled.at}/close`);
  expect(await ended(cancelled.at)).toMatchObject({ reason: "closed" });

  const moved = await proposed({ rule });
  await enable(moved.at, { sha: moved.head });
  await put(moved.source, "b.txt", "b\n");
  expect(await ended(moved.at)).toMatchObject({ reason: "head_moved" });
  const old = await enable(moved.at, { sha: moved.head });
  expect([old.status, old.json.message]).toEqual([409, expect.stringContaining("look at what was pushed")]);
  await enable(moved.at);
  await api("PATCH", moved.at, { target_branch: cancelled.target });
  expect(await ended(moved.at)).toMatchObject({ reason: "target_changed" });

  const { at, target, source } = await proposed({ files: { "same.txt": "ours\n" } });
  await api("PATCH", at, { draft: true });
  await enable(at);
  await put(target, "same.txt", "theirs\n");
  expect(await ended(at)).toMatchObject({ reason: "conflict", actor: null });
  const conflicts = await enable(at);
  expect([conflicts.status, conflicts.json.conflicts]).toEqual([409, ["same.txt"]]);
  expect(await tipOf(source)).not.toBe(undefined);
});

it("merges nothing for somebody who may not merge any more, and nothing that somebody without Write has pushed", async () => {
  const rule = { required_approvals: 1 };
  const { at, target, head } = await proposed({ rule });
  const before = await tipOf(target);
  expect((await enable(at, {}, bob)).json.auto_merge.enabled_by.username).toBe("bob");
  await api("PUT", `${R}/collaborators/bob`, { permission: "read" });
  expect((await enable(at, {}, bob)).status).toBe(403);
  await as(cat)("POST", `${at}/reviews`, { event: "approve", commit_sha: head, body: "So." });
  expect(await ended(at)).toMatchObject({ reason: "access" });
  expect([(await show(at)).state, await tipOf(target)]).toEqual(["open", before]);
  const stopping = new AbortController();
  const following = server.container.automation.followerRunner.run("notifications", stopping.signal);
  await eventually(async () => {
    const { json } = await api("GET", "/notifications");
    return json.some((one: { event: string }) => one.event === "auto_merge_disabled");
  });
  stopping.abort();
  await following;

  await as(bob)("POST", `${R}/forks`, {});
  const fork = branchesOver(as(bob), "/repos/bob/engine");
  await fork.branch("topic", { "f.txt": "f\n" });
  const wanted = { title: "From a fork", source_branch: "topic", source_repo: "bob/engine" };
  const opened = await as(bob)("POST", M, { ...wanted, target_branch: target });
  expect([opened.status, opened.json.message]).toEqual([201, undefined]);
  const foreign = `${M}/${opened.json.number}`;
  expect((await enable(foreign)).json.auto_merge).toMatchObject({ enabled_by: { username: "ada" } });
  await fork.put("topic", "g.txt", "g\n");
  expect(await ended(foreign)).toMatchObject({ reason: "foreign_push", actor: { username: "bob" } });
});

it("has one outcome whatever happens in the moment when it would merge", async () => {
  const random = seededRandom(seed);
  const others = ["close", "push", "cancel", "merge"] as const;
  for (let tens = 0; tens < size(1, 10); tens += 1)
    await Promise.all(Array.from({ length: 10 }, () => race(others[Math.floor(random() * others.length)]!)));
});

async function race(other: "close" | "push" | "cancel" | "merge") {
  const { at, head, source, target } = await proposed({ rule: { required_approvals: 1 } });
  const before = await tipOf(target);
  expect((await enable(at)).status).toBe(200);
  const calls = {
    close: () => api("POST", `${at}/close`),
    push: () => put(source, "late.txt", "late\n"),
    cancel: () => api("DELETE", `${at}/auto-merge`),
    merge: () => api("PUT", `${at}/merge`, {}),
  };
  const review = { event: "approve", commit_sha: head, body: "So." };
  await Promise.all([as(cat)("POST", `${at}/reviews`, review), calls[other]()]);
  const found = await eventually(async () => {
    const shown = await show(at);
    return (shown.state !== "open" || shown.auto_merge === null) && shown;
  });
  const tip = await tipOf(target);
  const isMerged = found.state === "merged";
  expect([other, found.merge_sha, found.auto_merge]).toEqual([other, isMerged ? tip : null, null]);
  expect(isMerged ? (await commitOf(tip)).parents[0].sha : tip).toBe(before);
}
