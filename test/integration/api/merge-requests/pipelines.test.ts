/** Runs of merge requests: when there are some, once for each commit, and after an approval where it comes from a fork. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { bringFromFork, commitWithoutRef } from "../../../support/fork-merge-requests.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { seed, size } from "../../../support/size.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let cat: TestPerson;
let repositoryId: string;
let forkId: string;
const R = "/repos/ada/engine";
const M = `${R}/merge-requests`;
const listed = `
on: { push: { branches: [main] }, merge_request: { targets: [main], paths: ["src/**"] } }
image: busybox
env: { WHAT: "\${{ mr.number }} \${{ mr.source_branch }}" }
steps: ['true']
`;
const open = "image: busybox\nsteps: ['true']\n";

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  bob = await server.person("bob");
  cat = await server.person("cat");
  repositoryId = (await api("POST", "/repos", { name: "engine", visibility: "public", readme: true })).json
    .id;
  forkId = (await as(bob)("POST", "/repos", { name: "engine", readme: true })).json.id;
  await put("main", ".forgeline/checks.yml", listed);
  await put("main", ".forgeline/all.yml", open);
  await api("POST", `${R}/branches`, { name: "stable", ref: "main" });
});
afterAll(() => server?.stop());

const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);
const { put, branch } = branchesOver((...request) => api(...request), R);

interface Run {
  id: string;
  number: number;
  pipeline: string;
  source: string;
  status: string;
  reason: string | null;
  sha: string;
  ref: string;
}
const runsOf = async (sha: string): Promise<Run[]> =>
  (await api("GET", `${R}/pipelines?per_page=100`)).json.filter((run: Run) => run.sha === sha);
const shown = (runs: Run[]) =>
  runs
    .map(({ pipeline, source, status, reason }) => [
      pipeline.slice(11, -4),
      source,
      status,
      reason?.replace(/\d+$/, "N") ?? null,
    ])
    .toSorted((a, b) => String(a).localeCompare(String(b)));

/** Of the commit, once nothing is to be made for the merge request any more. */
async function made(number: number, sha: string) {
  await eventually(async () => {
    await server.container.pipelines.mergeRequestRuns.makeDue(new AbortController().signal);
    const [row] = await server.container.platform.db.query<{ due_at: Date | null }>(
      "select due_at from merge_request_subjects where repository_id = $1 and number = $2",
      [repositoryId, number],
    );
    return row?.due_at === null;
  });
  return runsOf(sha);
}

async function propose(source: string, target = "main"): Promise<number> {
  const answer = await api("POST", M, { title: "Bring it", source_branch: source, target_branch: target });
  expect([answer.status, answer.json.message]).toEqual([201, undefined]);
  return answer.json.number;
}

it("a file runs once for each commit: for the push before it is proposed, and for the merge request after", async () => {
  const head = await branch("topic", { "src/a.ts": "1" });
  const number = await propose("topic");
  const first = await made(number, head);
  expect(shown(first)).toEqual([
    ["all", "merge_request", "skipped", "pushed:#N"],
    ["all", "push", "created", null],
    ["checks", "merge_request", "created", null],
  ]);
  const run = first.find(({ source, status }) => source === "merge_request" && status === "created");
  expect(run).toMatchObject({
    ref: `refs/merge-requests/${number}/head`,
    merge_request: { number },
    triggered_by: { username: "ada" },
  });
  expect((await api("GET", `${M}/${number}`)).json.pipeline).toMatchObject({ id: run?.id });
  // By its ref, commits of a fork would run as if they were the repository's.
  const ref = `refs/merge-requests/${number}/head`;
  for (const path of ["/pipelines", "/pipelines/plan"]) {
    const asked = await api("POST", R + path, { ref, pipeline: "all" });
    expect([path, asked.status, asked.json.errors?.[0]]).toMatchObject([path, 422, { field: "ref" }]);
  }
  const next = await put("topic", "src/b.ts", "2");
  expect(shown(await made(number, next))).toEqual([
    ["all", "merge_request", "created", null],
    ["all", "push", "skipped", "merge_request:!N"],
    ["checks", "merge_request", "created", null],
  ]);
  await moveByJob("topic", { before: next, after: head });
  expect((await api("GET", `${M}/${number}`)).json.head_sha).toBe(head);
  expect(shown(await made(number, head))).toEqual(shown(first));
  expect((await api("GET", `${M}/${number}/timeline`)).json.at(-1)).toMatchObject({
    kind: "pushed",
    actor: null,
    to: head,
  });
});

/** As a push by a job that runs for ada. */
async function moveByJob(name: string, { before, after }: { before: string; after: string }) {
  const { repositoryAccess, pushes } = server.container.hosting;
  const holder = { attemptId: "att_1", repositoryId, id: "job_1", pipelineId: "run_1", name: "commit" };
  const actor = {
    ...systemActor,
    kind: "job" as const,
    userId: ada.id,
    username: "ada",
    job: { ...holder, mayWrite: true, isOfAdmin: false, limit: null },
  };
  const { repository } = (await repositoryAccess.find("ada", "engine", actor))!;
  await pushes.move(repository, actor, { update: { ref: `refs/heads/${name}`, before, after } });
}

it("paths are those of the whole merge request, and another target asks again", async () => {
  const head = await branch("words", { "src/c.ts": "1", "words.md": "1" });
  const number = await propose("words", "stable");
  expect(shown(await made(number, head)).filter(([file]) => file === "checks")).toEqual([]);
  expect((await api("PATCH", `${M}/${number}`, { target_branch: "main" })).status).toBe(200);
  // The last commit changes no file that `checks` names, the merge request does.
  expect(shown(await made(number, head)).filter(([file]) => file === "checks")).toEqual([
    ["checks", "merge_request", "created", null],
  ]);
  expect((await api("POST", `${M}/${number}/close`)).status).toBe(200);
  const kept = await runsOf(head);
  const reasons = await server.container.platform.db.query<{ cancel_reason: string | null }>(
    "select cancel_reason from pipelines where id = any($1)",
    [
      kept
        .filter(({ source, status }) => source === "merge_request" && status !== "skipped")
        .map(({ id }) => id),
    ],
  );
  expect(reasons).toEqual([{ cancel_reason: "mr_closed" }]);
});

it("what comes from a fork waits for somebody with Write, for each commit anew", async () => {
  const head = await branch("foreign", { "src/d.ts": "1" });
  const number = await propose("foreign");
  await made(number, head);
  const bring = (sha: string) =>
    bringFromFork(server, { repositoryId, number, head: sha, forkId, userId: bob.id });
  const commit = (parent: string, text: string) =>
    commitWithoutRef(server, repositoryId, { parent, files: { "src/d.ts": text } });
  const second = await commit(head, "2");
  await bring(second);
  const waiting = (await made(number, second)).filter(({ source }) => source === "merge_request");
  expect(shown(waiting)).toEqual([
    ["all", "merge_request", "awaiting_approval", "fork"],
    ["checks", "merge_request", "awaiting_approval", "fork"],
  ]);
  expect(waiting[0]).toMatchObject({ reason: "fork" });
  const [one, other] = waiting.map(({ id }) => `${R}/pipelines/${id}`) as [string, string];
  expect((await as(bob)("POST", `${one}/approvals`, { decision: "approve" })).status).toBe(403);
  expect((await api("POST", `${one}/rerun`, {})).status).toBe(409);
  expect((await api("GET", one)).json.fork_approval).toMatchObject({
    state: "open",
    author: "bob",
    sha: second,
    merge_request: number,
    may_decide: true,
  });
  const [mine, his] = [await api("GET", "/user/approvals"), await as(bob)("GET", "/user/approvals")];
  expect([mine.headers["x-total-count"], his.json]).toEqual(["2", []]);
  expect(mine.json[0]).toMatchObject({
    pipeline: { commit: { sha: second } },
    approval: null,
    fork_approval: { merge_request: number, author: "bob", state: "open", may_decide: true },
  });
  const approved = await api("POST", `${one}/approvals`, { decision: "approve", comment: "Read it." });
  expect([approved.status, approved.json]).toMatchObject([
    200,
    { state: "approved", decided_by: { username: "ada" }, may_decide: false },
  ]);
  expect((await api("GET", one)).json).toMatchObject({ status: "created", reason: null });
  expect((await api("POST", `${one}/approvals`, { decision: "reject" })).status).toBe(409);

  // Another commit: what still waits is of no use any more, and waits again.
  expect((await api("GET", "/user/approvals")).headers["x-total-count"]).toBe("1");
  const third = await commit(second, "3");
  await bring(third);
  const [again] = (await made(number, third)).filter(({ pipeline }) => pipeline.endsWith("all.yml"));
  expect(again).toMatchObject({ status: "awaiting_approval" });
  const old = (await api("GET", other)).json;
  expect([old.status, old.reason]).toEqual(["cancelled", expect.stringMatching(/^superseded:#\d+$/)]);
  expect((await api("POST", `${other}/approvals`, { decision: "approve" })).status).toBe(409);
  expect((await api("POST", `${other}/rerun`, { from: "all" })).json.message).toContain(
    "Nobody has approved",
  );
  const rejected = await api("POST", `${R}/pipelines/${again?.id}/approvals`, { decision: "reject" });
  expect(rejected.json).toMatchObject({ state: "rejected" });
  expect((await api("GET", `${R}/pipelines/${again?.id}`)).json).toMatchObject({
    status: "failed",
    reason: "approval_rejected",
  });
});

it("an approval in the moment of a push is of the commit that was looked at, and of no other", async () => {
  const head = await branch("raced", { "src/f.ts": "1" });
  const number = await propose("raced");
  await made(number, head);
  const random = seededRandom(seed);
  const bring = async (count: number) => {
    const files = { "src/f.ts": String(count) };
    const sha = await commitWithoutRef(server, repositoryId, { parent: head, files });
    await bringFromFork(server, { repositoryId, number, head: sha, forkId, userId: cat.id });
    return sha;
  };
  const waiting = async (sha: string) => {
    const runs = await made(number, sha);
    return runs.find(({ source, pipeline }) => source === "merge_request" && pipeline.endsWith("all.yml"))!;
  };
  let run = await waiting(await bring(2));
  for (let round = 0; round < size(4, 100); round += 1) {
    const at = `${R}/pipelines/${run.id}`;
    const approve = () => api("POST", `${at}/approvals`, { decision: "approve" });
    const [first, second] = random() < 0.5 ? [approve(), bring(round + 3)] : [bring(round + 3), approve()];
    const both = await Promise.all([first, second]);
    const approval = both.find((one) => typeof one !== "string")!;
    expect([200, 409]).toContain(approval.status);
    const { status, fork_approval: shownApproval } = (await api("GET", at)).json;
    expect([approval.status === 200, status !== "awaiting_approval"]).toEqual([
      shownApproval.state === "approved",
      true,
    ]);
    run = await waiting(both.find((one) => typeof one === "string")!);
    expect(run.status).toBe("awaiting_approval");
  }
});

it("an author who is trusted is not asked about, until that lapses or is taken back", async () => {
  const head = await branch("trusted", { "src/e.ts": "1" });
  const number = await propose("trusted");
  await made(number, head);
  let count = 1;
  const next = async () => {
    const files = { "src/e.ts": String((count += 1)) };
    const sha = await commitWithoutRef(server, repositoryId, { parent: head, files });
    await bringFromFork(server, { repositoryId, number, head: sha, forkId, userId: bob.id });
    const runs = await made(number, sha);
    return runs.find(({ source, pipeline }) => source === "merge_request" && pipeline.endsWith("checks.yml"));
  };
  const first = await next();
  const trusted = await api("POST", `${R}/pipelines/${first?.id}/approvals`, {
    decision: "approve",
    trust_author: true,
  });
  expect(trusted.status).toBe(200);
  const list = await api("GET", `${R}/trusted-authors`);
  expect(list.json).toMatchObject([{ user: { username: "bob" }, trusted_by: { username: "ada" } }]);
  const days = (Date.parse(list.json[0].expires_at) - Date.parse(list.json[0].trusted_at)) / 86_400_000;
  expect(Math.round(days)).toBe(90);
  expect((await next())?.status).toBe("created");
  await server.container.platform.db.query("update trusted_authors set expires_at = now()");
  expect((await api("GET", `${R}/trusted-authors`)).json).toEqual([]);
  expect((await next())?.status).toBe("awaiting_approval");
  await server.container.platform.db.query(
    "update trusted_authors set expires_at = now() + interval '1 day'",
  );
  expect((await api("DELETE", `${R}/trusted-authors/bob`)).status).toBe(204);
  expect((await api("DELETE", `${R}/trusted-authors/bob`)).status).toBe(404);
  expect((await next())?.status).toBe("awaiting_approval");
  // Whoever has Write is trusted without being in the list.
  await api("PUT", `${R}/collaborators/bob`, { permission: "write" });
  expect((await next())?.status).toBe("created");
});
