/** Runs of merge requests: what has to happen for them (`types`), and those on the merged result. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { allRunsMade, type ShownRun as Run } from "../../../support/all-runs-made.ts";
import { bringFromFork, commitWithoutRef } from "../../../support/fork-merge-requests.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let repositoryId: string;
let forkId: string;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
const listing = (types: string) => `
on: { merge_request: { types: [${types}] } }
image: busybox
steps: ['true']
`;

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  bob = await server.person("bob");
  repositoryId = (await api("POST", "/repos", { name: "engine", visibility: "public", readme: true })).json
    .id;
  forkId = (await as(bob)("POST", "/repos", { name: "engine", readme: true })).json.id;
  await put("main", "shared.txt", "1");
  await api("POST", `${R}/branches`, { name: "side", ref: "main" });
  await api("POST", `${R}/labels`, { name: "slow", color: "ff0000" });
});
afterAll(() => server?.stop());

const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);
const { put, branch } = branchesOver((...request) => api(...request), R);

/** Once the branches are compared and nothing is to be made any more: the runs for the merge request, the newest first. */
async function made(number: number): Promise<Run[]> {
  await allRunsMade(server.container, repositoryId, number);
  const runs: Run[] = (await api("GET", `${R}/pipelines?per_page=100&event=merge_request`)).json;
  return runs.filter((run) => run.merge_request?.number === number);
}
const names = (runs: Run[]) => runs.map(({ pipeline }) => pipeline.slice(11, -4)).toSorted();

async function propose(source: string, more: object = {}): Promise<number> {
  const answer = await api("POST", M, { title: "Bring it", source_branch: source, ...more });
  expect([answer.status, answer.json.message]).toEqual([201, undefined]);
  return answer.json.number;
}

it("a file runs for what its types name, each time it happens, and for nothing else", async () => {
  const head = await branch("typed", {
    ".forgeline/usual.yml": "on: merge_request\nimage: busybox\nsteps: ['true']\n",
    ".forgeline/labels.yml": listing("labeled"),
    ".forgeline/ready.yml": listing("ready, reopened"),
    ".forgeline/ended.yml": listing("closed, merged"),
  });
  const number = await propose("typed", { draft: true, target_branch: "side" });
  const after = async (method: string, path: string, body?: unknown) => {
    const before = (await made(number)).map(({ id }) => id);
    const { status, json } = await api(method, `${M}/${number}${path}`, body);
    expect([status, json.message]).toEqual([200, undefined]);
    return names((await made(number)).filter(({ id }) => !before.includes(id)));
  };
  expect(names(await made(number))).toEqual(["usual"]);
  expect(await after("PATCH", "", { labels: ["slow"] })).toEqual(["labels"]);
  expect(await after("PATCH", "", { labels: [], title: "Bring more" })).toEqual([]);
  expect(await after("PUT", "/draft", { draft: false })).toEqual(["ready"]);
  expect(await after("POST", "/close")).toEqual(["ended"]);
  expect(await after("POST", "/reopen")).toEqual(["ready", "usual"]);
  expect(await after("PUT", "/merge", { sha: head })).toEqual(["ended"]);
});

it("a label of a merge request from a fork takes no approval from the runs that wait", async () => {
  const head = await branch("foreign", { ".forgeline/usual.yml": listing("opened, updated") });
  const number = await propose("foreign");
  await made(number);
  const files = { "b.txt": "1" };
  const brought = await commitWithoutRef(server, repositoryId, { parent: head, files });
  await bringFromFork(server, { repositoryId, number, head: brought, forkId, userId: bob.id });
  const waiting = async () =>
    (await made(number)).filter(({ status }) => status === "awaiting_approval").map(({ id }) => id);
  const first = await waiting();
  expect(first).toHaveLength(1);
  await api("PATCH", `${M}/${number}`, { labels: ["slow"] });
  expect(await waiting()).toEqual(first);
  await api("POST", `${M}/${number}/close`);
});

it("runs on the merged result count for the head, and wait for the end of a conflict", async () => {
  expect((await api("PATCH", R, { merge_request_pipelines: "merged_result" })).json).toMatchObject({
    merge_request_pipelines: "merged_result",
  });
  await put("main", ".forgeline/check.yml", "image: busybox\nsteps: ['true']\n");
  const head = await branch("topic", { "topic.txt": "1" });
  const target = await put("main", "other.txt", "1");
  const number = await propose("topic");
  const [run] = await made(number);
  const merged = run?.sha ?? "";
  expect(run).toMatchObject({ ref: `refs/merge-requests/${number}/merge`, status: "created" });
  expect(merged).not.toBe(head);
  expect((await api("GET", `${R}/commits/${merged}`)).json.parents).toMatchObject([
    { sha: target },
    { sha: head },
  ]);
  const pipeline = async () => (await api("GET", `${M}/${number}`)).json.pipeline;
  expect(await pipeline()).toMatchObject({
    id: run?.id,
    merged_result: { sha: merged, target_sha: target, is_current: true },
  });

  // The target branch moves: no new run, and everybody sees that it was tested against an older one.
  const moved = await put("main", "other.txt", "2");
  expect(await made(number)).toHaveLength(1);
  expect(await pipeline()).toMatchObject({ id: run?.id, merged_result: { is_current: false } });

  // Both change a file: nothing runs until they agree.
  const clash = await put("topic", "shared.txt", "topic");
  await made(number);
  await put("main", "shared.txt", "main");
  const last = await put("topic", "shared.txt", "topic again");
  const [skipped] = await made(number);
  expect(skipped).toMatchObject({ status: "skipped", reason: "merge_conflict", sha: last });
  expect(moved).not.toBe(clash);
  await put("main", "shared.txt", "1");
  const [ended] = await made(number);
  expect(ended).toMatchObject({ status: "created", ref: `refs/merge-requests/${number}/merge` });
  expect(ended?.sha).not.toBe(last);
  // As a server leaves it that dies after it wrote that runs wait, while the conflict ended.
  const died =
    "update merge_request_subjects set waits_for_merge = true, due_at = now() where repository_id = $1 and number = $2";
  await server.container.platform.db.query(died, [repositoryId, number]);
  const [anew] = await made(number);
  expect(anew?.number).toBeGreaterThan(ended?.number ?? 0);
  const rule = { pattern: "main", required_checks: [{ pipeline: ".forgeline/check.yml" }] };
  expect((await api("POST", `${R}/branch-protections`, rule)).status).toBe(201);
  expect((await api("GET", `${M}/${number}/checks`)).json).toMatchObject([
    { state: "running", run: { number: anew?.number } },
  ]);

  // What merged an older head is kept for as long as something of it runs.
  const { platform, pipelines } = server.container;
  const sweep = pipelines.mergeRequestRuns.periodicTasks.find(({ name }) => name === "drop_merged_results");
  await platform.db.query("update merged_results set created_at = now() - interval '2 hours'");
  // That of a repository where Git fails keeps nothing else, and is tried again later.
  const stuck = "5".repeat(40);
  const places = join(platform.storage.directory(forkId), "refs/merge-requests/9/tested");
  await mkdir(places, { recursive: true });
  await writeFile(join(places, `${stuck}.lock`), "");
  await platform.db.query(
    `insert into merged_results (repository_id, number, sha, head_sha, created_at)
     values ($1, 9, $2, $2, now() - interval '3 hours')`,
    [forkId, stuck],
  );
  const kept = async () => {
    await sweep?.run(new AbortController().signal);
    const rows = await platform.db.query<{ sha: string }>(
      "select sha from merged_results where created_at < now() - interval '1 hour'",
    );
    return rows.map(({ sha }) => sha);
  };
  expect(await kept()).toEqual(expect.arrayContaining([merged, anew?.sha]));
  await platform.db.query("update pipelines set status = 'success', finished_at = now()");
  expect(await kept()).toEqual([anew?.sha]);
  const postponed = "delete from merged_results where repository_id = $1 returning sha";
  expect(await platform.db.query(postponed, [forkId])).toEqual([{ sha: stuck }]);
  // What was removed from the target branch goes with its results, though they are of the newest commit.
  await pipelines.dropRemovedResults(repositoryId);
  expect(await kept()).toEqual([anew?.sha]);
  const inRepository = (...args: string[]) =>
    platform.git.run({ directory: platform.storage.directory(repositoryId), args });
  await inRepository("update-ref", "refs/heads/main", target);
  await pipelines.dropRemovedResults(repositoryId);
  expect(await kept()).toEqual([]);
  const { stdout } = await inRepository("for-each-ref", "refs/merge-requests/*/tested/");
  expect(stdout.toString()).toBe("");
  const rerun = await api("POST", `${R}/pipelines/${run?.id}/rerun`, { from: "all" });
  expect([rerun.status, rerun.json.message]).toMatchObject([409, expect.stringContaining("not kept")]);
});

it("pipelines run again on the present target branch when somebody with Write says so", async () => {
  const head = await branch("again", { "again.txt": "1" });
  const number = await propose("again");
  const [first] = await made(number);
  const again = (person: TestPerson, at = number) => as(person)("POST", `${M}/${at}/pipelines`);
  expect((await again(bob)).status).toBe(403);
  expect((await again(ada, 999)).status).toBe(404);
  expect((await again(ada)).status).toBe(204);
  const runs = await made(number);
  expect(runs.map(({ sha }) => sha)).toEqual([first?.sha, first?.sha]);
  // From a fork it waits, and its approval is about the head.
  const files = { "again.txt": "2" };
  const brought = await commitWithoutRef(server, repositoryId, { parent: head, files });
  await bringFromFork(server, { repositoryId, number, head: brought, forkId, userId: bob.id });
  const [foreign] = await made(number);
  expect(foreign).toMatchObject({ status: "awaiting_approval" });
  expect(foreign?.sha).not.toBe(brought);
  const approvals = `${R}/pipelines/${foreign?.id}/approvals`;
  expect((await api("POST", approvals, { decision: "approve" })).status).toBe(200);
  await api("PATCH", R, { merge_request_pipelines: "head" });
  expect((await again(ada)).status).toBe(409);
});

/** As if all runs of the merge request had ended so; the newest of them. */
async function end(number: number, status: "success" | "failed"): Promise<Run | undefined> {
  const [run] = await made(number);
  await server.container.platform.db.query(
    "update pipelines set status = $3, finished_at = now() where repository_id = $1 and merge_request_number = $2 and number = $4",
    [repositoryId, number, status, run?.number],
  );
  return run;
}

it("only what was tested for the present target branch counts, once it was tested", async () => {
  await api("PATCH", R, { merge_request_pipelines: "merged_result" });
  for (const name of ["old", "ruled"]) await api("POST", `${R}/branches`, { name, ref: "main" });
  const required = { required_checks: [{ pipeline: ".forgeline/check.yml" }], require_pipeline: true };
  expect((await api("POST", `${R}/branch-protections`, { pattern: "ruled", ...required })).status).toBe(201);
  const head = await branch("moved", { "moved.txt": "1" });
  // Proposed into both: the runs of one say nothing of the other.
  const other = await propose("moved", { target_branch: "ruled" });
  await end(other, "success");
  const number = await propose("moved", { target_branch: "old" });
  await end(number, "failed");
  const checks = async (at: number) =>
    (await api("GET", `${M}/${at}/checks`)).json.map(({ state }: { state: string }) => state);
  expect(await checks(other)).toEqual(["passed"]);
  expect((await api("GET", `${M}/${other}`)).json.blocked_by).toEqual([]);
  await api("POST", `${M}/${other}/close`);

  // Another target branch: what passed for the old one is over, although nothing ran for the new one yet.
  const green = await end(number, "success");
  const moved = await api("PATCH", `${M}/${number}`, { target_branch: "ruled" });
  expect([moved.status, moved.json.message]).toEqual([200, undefined]);
  expect(await checks(number)).toEqual(["running"]);
  expect((await made(number))[0]?.id).not.toBe(green?.id);
  const { db } = server.container.platform;
  // As it is while a run of a fork waits: what remains is the run of the push, which has failed.
  await db.query(
    "update pipelines set status = 'failed', finished_at = now() where sha = $1 and source = 'push'",
    [head],
  );
  const held = async (needsApproval: boolean) => {
    await db.query("update pipelines set needs_approval = $2 where id = $1", [
      (await made(number))[0]?.id,
      needsApproval,
    ]);
    return [await checks(number), (await api("GET", `${M}/${number}`)).json.blocked_by.length];
  };
  expect(await held(true)).toEqual([["failed"], 2]);
  expect(await held(false)).toEqual([["running"], 2]);
  await end(number, "success");
  expect([await checks(number), (await api("GET", `${M}/${number}`)).json.blocked_by]).toEqual([
    ["passed"],
    [],
  ]);

  // Tested again, it fails: what passed before does not count any more.
  expect((await api("POST", `${M}/${number}/pipelines`)).status).toBe(204);
  expect((await api("PUT", `${M}/${number}/merge`, { sha: head })).json.blocked_by).toHaveLength(2);
  await end(number, "failed");
  expect([await checks(number), (await api("GET", `${M}/${number}`)).json.blocked_by]).toEqual([
    ["failed"],
    [expect.any(String), expect.any(String)],
  ]);
  await api("POST", `${M}/${number}/close`);
  await api("PATCH", R, { merge_request_pipelines: "head" });
});

it("nothing is tried without end where the target branch, or the commits, are gone", async () => {
  await api("POST", `${R}/branches`, { name: "brief", ref: "main" });
  const head = await branch("late", { "late.txt": "1" });
  const number = await propose("late", { target_branch: "brief" });
  const before = await made(number);
  expect((await api("DELETE", `${R}/branches/brief`)).status).toBe(204);
  await eventually(async () => (await api("GET", `${M}/${number}`)).json.state === "closed");
  expect(names(await made(number))).toEqual(names(before));

  const missing = await propose("late");
  await made(missing);
  const absent = head.replace(/^.{8}/, "00000000");
  await bringFromFork(server, { repositoryId, number: missing, head: absent, forkId, userId: bob.id });
  const { db } = server.container.platform;
  await db.query("update merge_request_subjects set tried = 299 where repository_id = $1 and number = $2", [
    repositoryId,
    missing,
  ]);
  await server.container.pipelines.mergeRequestRuns.makeDue(new AbortController().signal);
  const rows = await db.query(
    "select due_at, tried from merge_request_subjects where repository_id = $1 and number = $2",
    [repositoryId, missing],
  );
  expect(rows).toEqual([{ due_at: null, tried: 300 }]);
});
