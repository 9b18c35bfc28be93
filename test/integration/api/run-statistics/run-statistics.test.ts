/** Statistics of runs: counted once each, over days, by file and branch, with honest reruns, for those who may see them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PipelineStatistics } from "@forgeline/schemas/run-statistics/resource.ts";
import { recordRunEvents } from "@forgeline/server/domains/pipelines/runs/run-events.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { endRun } from "../../../support/ended-runs.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
let eve: TestPerson;
let stopping: AbortController;
let following: Promise<void>;

beforeAll(async () => {
  server = await startApiServer({});
  ada = await server.person("ada", { isAdmin: true });
  eve = await server.person("eve");
  await send("POST", "/orgs", { name: "acme" });
  stopping = new AbortController();
  following = server.container.automation.followerRunner.run("runs", stopping.signal);
});
afterAll(async () => {
  stopping?.abort();
  await following;
  await server?.stop();
});

const send = (method: string, path: string, body?: unknown, person = ada) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const read = async (path: string) => (await send("GET", path)).json;

async function repository(name: string, owner = "ada"): Promise<{ id: string; at: string }> {
  const body = { name, private: true, ...(owner === "ada" ? {} : { owner }) };
  const made = await send("POST", "/repos", body);
  expect(made.status).toBe(201);
  return { id: made.json.id as string, at: `/repos/${owner}/${name}/pipelines/statistics` };
}

/** Once so many runs are counted. */
async function counted(path: string, runs: number): Promise<PipelineStatistics> {
  return eventually(async () => {
    const found = (await read(path)) as PipelineStatistics;
    return found.runs === runs && found;
  });
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const today = () => new Date(Date.now() - 60 * 60 * 1000);

test("count runs by outcome, day, file and branch, and tell percentiles", async () => {
  const { id: repositoryId, at } = await repository("sums");
  const empty = (await read(at)) as PipelineStatistics;
  expect(empty).toMatchObject({ days: 30, runs: 0, success_rate: null, duration: null, queue_time: null });
  expect(empty.by_day).toHaveLength(30);
  const one = (queued: number, ran: number) => [{ key: "unit", attempts: [{ queued, ran }] }];
  const runs = [
    { status: "success", seconds: 10, jobs: one(1, 9), startedAt: daysAgo(3) },
    { status: "success", seconds: 20, jobs: one(2, 18), startedAt: daysAgo(3) },
    {
      status: "failed",
      seconds: 30,
      jobs: one(3, 27),
      startedAt: daysAgo(2),
      file: ".forgeline/nightly.yml",
    },
    { status: "error", seconds: 500, startedAt: daysAgo(2), branch: "topic" },
    { status: "cancelled", seconds: 900, jobs: one(60, 600), startedAt: daysAgo(2) },
    { status: "skipped", seconds: 0, startedAt: daysAgo(1) },
    { status: "success", seconds: 40, jobs: one(4, 36), startedAt: daysAgo(60) },
  ];
  for (const [index, run] of runs.entries())
    await endRun(server, { repositoryId, number: index + 1, ...run });
  const found = await counted(at, 6);
  expect(found).toMatchObject({
    succeeded: 2,
    failed: 1,
    errors: 1,
    cancelled: 1,
    skipped: 1,
    success_rate: 0.5,
    duration: { p50: 20, p90: 30 },
    queue_time: { p50: 2, p90: 3 },
    runner_minutes: 10.9,
    attempts: 4,
  });
  expect(found.by_day.filter(({ runs: some }) => some > 0).map(({ runs: some }) => some)).toEqual([2, 3, 1]);
  expect(found.by_pipeline.map(({ pipeline, runs: some }) => [pipeline, some])).toEqual([
    [".forgeline.yml", 5],
    [".forgeline/nightly.yml", 1],
  ]);
  expect(await counted(`${at}?days=90`, 7)).toMatchObject({ days: 90 });
  expect(await read(`${at}?days=2`)).toMatchObject({ runs: 1 });
  expect(await read(`${at}?branch=topic`)).toMatchObject({ runs: 1, errors: 1, success_rate: 0 });
  expect(await read(`${at}?pipeline=.forgeline/nightly.yml`)).toMatchObject({ runs: 1, failed: 1 });
});

test("a rerun changes the outcome and adds to the time on runners, and leaves the duration alone", async () => {
  const { id: repositoryId, at } = await repository("again");
  const jobs = [{ key: "unit", status: "failed", attempts: [{ queued: 1, ran: 60 }] }];
  const pipelineId = await endRun(server, {
    repositoryId,
    number: 1,
    status: "failed",
    startedAt: today(),
    seconds: 61,
    jobs,
  });
  await counted(at, 1);
  const { db } = server.container.platform;
  await db.query(
    `insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, state, status, labels, job, queued_at, started_at, finished_at)
     select 'att_0000000000000000000000000a', job_id, pipeline_id, repository_id, 2, 'ended', 'success', '{}', '{}',
       now() - interval '40 minutes', now() - interval '30 minutes', now() - interval '29 minutes'
     from job_attempts where pipeline_id = $1`,
    [pipelineId],
  );
  await db.query(
    "update pipelines set status = 'success', sequence = 2, finished_at = now() - interval '29 minutes' where id = $1",
    [pipelineId],
  );
  await db.transaction((tx) => recordRunEvents(tx, pipelineId, ["finished"]));
  const found = await eventually(async () => {
    const now = (await read(at)) as PipelineStatistics;
    return now.succeeded === 1 && now;
  });
  expect(found).toMatchObject({
    runs: 1,
    failed: 0,
    attempts: 2,
    runner_minutes: 2,
    duration: { p50: 61, p90: 61 },
    queue_time: { p50: 1, p90: 1 },
  });
});

test("name the slowest jobs and steps of the last runs", async () => {
  const { id: repositoryId, at } = await repository("slow");
  const jobs = [
    { key: "quick", attempts: [{ queued: 1, ran: 2, steps: { lint: 1 } }] },
    {
      key: "slow",
      status: "success",
      attempts: [
        { queued: 1, ran: 30, steps: { build: 25, test: 5 } },
        { queued: 9, ran: 50, steps: { build: 45, test: 5 } },
      ],
    },
  ];
  await endRun(server, { repositoryId, number: 1, startedAt: today(), seconds: 90, jobs });
  await counted(at, 1);
  const found = await read(`${at}/jobs`);
  expect(found).toMatchObject({ sampled_runs: 1, days: 30 });
  expect(found.jobs).toEqual([
    {
      pipeline: ".forgeline.yml",
      job: "slow",
      count: 2,
      failed: 1,
      duration: { p50: 30, p90: 50 },
      queue_time: { p50: 1, p90: 9 },
      runner_minutes: 1.33,
    },
    expect.objectContaining({ job: "quick", count: 1, failed: 0 }),
  ]);
  const steps = found.steps as { job: string; step: string; duration: object }[];
  expect(steps.map(({ job, step }) => `${job} ${step}`)).toEqual(["slow build", "slow test", "quick lint"]);
  expect(steps[0]?.duration).toEqual({ p50: 25, p90: 45 });
  expect(await read(`${at}/jobs?branch=nowhere`)).toMatchObject({ sampled_runs: 0, jobs: [], steps: [] });
});

test("say what each repository of an organization and of the instance costs", async () => {
  const [cheap, dear] = [await repository("cheap", "acme"), await repository("dear", "acme")];
  const jobs = (ran: number) => [{ key: "unit", attempts: [{ queued: 0, ran }] }];
  const run = { number: 1, startedAt: today(), seconds: 10 };
  await endRun(server, { ...run, repositoryId: cheap.id, jobs: jobs(60) });
  await endRun(server, { ...run, repositoryId: dear.id, jobs: jobs(600) });
  const O = "/orgs/acme/pipelines/statistics";
  expect(await counted(O, 2)).toMatchObject({ runner_minutes: 11, by_pipeline: [] });
  const list = (await read(`${O}/repositories`)) as { full_name: string; runner_minutes: number }[];
  expect(list.map(({ full_name, runner_minutes }) => [full_name, runner_minutes])).toEqual([
    ["acme/dear", 10],
    ["acme/cheap", 1],
  ]);
  expect((await send("GET", `${O}/repositories?per_page=1&page=2`)).headers["x-total-count"]).toBe("2");
  const all = (await read("/admin/pipelines/statistics")) as PipelineStatistics;
  expect(all.runs).toBeGreaterThanOrEqual(2);
  const everywhere = (await read("/admin/pipelines/statistics/repositories")) as { full_name: string }[];
  expect(everywhere.map(({ full_name: name }) => name)).toEqual(
    expect.arrayContaining(["acme/dear", "acme/cheap"]),
  );
  expect((await send("GET", O, undefined, eve)).status).toBe(404);
  expect((await send("GET", cheap.at, undefined, eve)).status).toBe(404);
  expect((await send("GET", "/admin/pipelines/statistics", undefined, eve)).status).toBe(403);
  expect((await send("DELETE", "/repos/acme/dear")).status).toBe(204);
  expect(await counted(O, 1)).toMatchObject({ runner_minutes: 1 });
});

test("the history is exported as JSON lines, in order of the ends, between two times", async () => {
  const { id: repositoryId, at } = await repository("history");
  const jobs = [{ key: "unit", attempts: [{ queued: 1, ran: 5, steps: { lint: 5 } }] }];
  const starts = [daysAgo(1), daysAgo(3), daysAgo(2)];
  const ids: string[] = [];
  for (const [index, startedAt] of starts.entries())
    ids.push(await endRun(server, { repositoryId, number: index + 1, startedAt, seconds: 10, jobs }));
  const { db } = server.container.platform;
  const rule = JSON.stringify({
    approvers: [],
    count: 1,
    allowSelf: true,
    onExpire: "reject",
    message: null,
  });
  await db.query(
    `insert into approval_gates (id, pipeline_id, sequence, stage, job, rule, excluded, state, expires_at)
     values ('gate_1', $1, 1, 'main', 'unit', $2, '{}', 'approved', now())`,
    [ids[1], rule],
  );
  await db.query(
    "insert into approvals (gate_id, user_id, decision, comment) values ('gate_1', $1, 'approve', 'Go.')",
    [ada.id],
  );
  await counted(at, 3);
  const path = "/repos/ada/history/pipelines/export";
  const answer = await send("GET", path);
  expect(answer.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
  const lines = (text: string) =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { number: number; finished_at: string });
  const all = lines(answer.text);
  expect(all.map(({ number }) => number)).toEqual([2, 3, 1]);
  const decided = { user: { username: "ada" }, decision: "approve", comment: "Go." };
  expect(all[0]).toMatchObject({
    status: "success",
    approvals: [{ job: "unit", state: "approved", approvals: [decided] }],
    stages: [
      { jobs: [{ key: "unit", attempts: [{ queue_time: 1, duration: 5, steps: [{ name: "lint" }] }] }] },
    ],
  });
  const since = all[1]?.finished_at ?? "";
  expect(lines((await send("GET", `${path}?since=${since}`)).text).map(({ number }) => number)).toEqual([
    3, 1,
  ]);
  expect(lines((await send("GET", `${path}?until=${since}`)).text).map(({ number }) => number)).toEqual([2]);
  expect((await send("GET", `${path}?since=yesterday`)).status).toBe(400);
  expect((await send("GET", path, undefined, eve)).status).toBe(404);
  expect((await send("HEAD", path)).status).toBe(200);
});

test("the history of an organization names repositories, and only those that the caller may read", async () => {
  await send("POST", "/orgs", { name: "umbrella" });
  const [open, closed] = [await repository("open", "umbrella"), await repository("closed", "umbrella")];
  const run = { seconds: 10, status: "failed" };
  const past = [
    { repositoryId: closed.id, number: 1, startedAt: daysAgo(9) },
    { repositoryId: open.id, number: 1, startedAt: daysAgo(5) },
    { repositoryId: closed.id, number: 2, startedAt: daysAgo(1) },
  ];
  for (const one of past) await endRun(server, { ...run, ...one });
  await counted("/orgs/umbrella/pipelines/statistics", 3);
  const path = "/orgs/umbrella/pipelines/export";
  const lines = async (query = "", person = ada) =>
    (await send("GET", `${path}${query}`, undefined, person)).text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { repository: string; number: number; finished_at: string })
      .map(({ repository: name, number }) => `${name}#${number}`);
  expect(await lines()).toEqual(["umbrella/closed#1", "umbrella/open#1", "umbrella/closed#2"]);
  expect(await lines(`?since=${daysAgo(6).toISOString()}&until=${daysAgo(2).toISOString()}`)).toEqual([
    "umbrella/open#1",
  ]);
  expect((await send("GET", path, undefined, eve)).status).toBe(404);
  await send("PUT", "/repos/umbrella/open/collaborators/eve", { permission: "read" });
  await server.container.platform.db.query(
    `insert into organization_members (organization_id, user_id, role)
     select o.id, $1, 'member' from owners o where o.name = 'umbrella'`,
    [eve.id],
  );
  expect(await lines("", eve)).toEqual(["umbrella/open#1"]);
  const { headers } = await send("HEAD", path, undefined, eve);
  expect(headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
});

test("refuse what is no period", async () => {
  const { at } = await repository("wrong");
  for (const query of ["days=0", "days=91", "days=x", "branch=", "unknown=1"])
    expect((await send("GET", `${at}?${query}`)).status, query).toBe(400);
});
