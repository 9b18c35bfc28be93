/** Background work over REST: a real worker on the bed's Temporal, repositories that cannot be counted, runs whose work was ended. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WorkDetail, WorkOverview, WorkPage } from "@forgeline/schemas/background-work/resource.ts";
import { statisticsWorkflowId, statisticsWorkflowName } from "@forgeline/schemas/statistics/workflow.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { runIs } from "../../../support/runs.ts";
import {
  beginRun,
  startFailingStatistics,
  terminateWorkflow,
  untilDelivered,
  startWorker,
  untilStopRequested,
  triesOf,
} from "../../../support/failing-work.ts";

let server: ApiServer;
let stopWorker: () => Promise<void>;
let root: TestPerson;
let ada: TestPerson;
const taskQueue = `test-work-${process.pid}`;

beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_TASK_QUEUE: taskQueue } });
  stopWorker = await startWorker(server);
  await server.container.upkeep.maintenanceSchedule.keep();
  root = await server.person("root-admin", { isAdmin: true });
  ada = await server.person("ada");
});
afterAll(async () => {
  await server?.container.platform.temporal.client.schedule.getHandle(`maintenance:${taskQueue}`).delete();
  await stopWorker?.();
  await server?.stop();
});

const get = async <T>(path: string): Promise<T> => {
  const answer = await server.api("GET", path, { token: root.token });
  expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text]);
  return answer.json as T;
};
const place = (id: string) => `/admin/work/${encodeURIComponent(id)}`;
const detail = (id: string, execution?: string) =>
  get<WorkDetail>(`${place(id)}${execution === undefined ? "" : `?execution=${execution}`}`);
const post = (id: string, what: "cancel" | "retry", body: object = {}) =>
  server.api("POST", `${place(id)}/${what}`, { token: root.token, ...(what === "cancel" ? { body } : {}) });
const once = (id: string, fits: (work: WorkDetail) => boolean) =>
  eventually(async () => {
    const answer = await server.api("GET", place(id), { token: root.token });
    const work = answer.json as WorkDetail;
    if (answer.status === 200 && fits(work)) return work;
    throw new Error(answer.text);
  });
/** Visibility follows what happens after a moment. */
const listed = (query: string, fits: (page: WorkPage) => boolean) =>
  eventually(async () => {
    const page = await get<WorkPage>(`/admin/work?${query}`);
    if (fits(page)) return page;
    throw new Error(JSON.stringify(page));
  });
const lastEntry = async () => (await get<object[]>("/admin/audit-log?per_page=1"))[0];

const broken = () => startFailingStatistics(server, ada, taskQueue);
const run = () => beginRun(server, ada);
const terminate = (id: string) => terminateWorkflow(server, id);

describe("a step that fails", () => {
  it("is shown with its failure and its next attempt, and is tried now", async () => {
    const repo = await broken();
    const work = await once(repo.workflowId, (one) => one.waiting_for[0]?.state === "waiting_for_retry");
    expect(work).toMatchObject({
      kind: "repository_statistics",
      state: "running",
      ended_at: null,
      subject: {
        repository: `ada/${repo.name}`,
        pipeline_id: null,
        web_url: `${server.webUrl}/ada/${repo.name}`,
      },
      waiting_for: [
        { name: "computeStatistics", attempt: 2, attempts_allowed: 3, repository: `ada/${repo.name}` },
      ],
      may_retry: "now",
      may_cancel: true,
    });
    expect(work.waiting_for[0]?.failure[0]?.message).toMatch(/\S/);
    expect(Date.parse(work.waiting_for[0]?.next_attempt_at ?? "")).toBeGreaterThan(
      Date.parse(work.started_at),
    );
    const [found] = (
      await listed("state=running&kind=repository_statistics", ({ work: all }) => all.length === 1)
    ).work;
    expect(found).toMatchObject({ id: repo.workflowId, waiting_for: [{ state: "waiting_for_retry" }] });
    await repo.repair();
    expect((await post(repo.workflowId, "retry")).status).toBe(202);
    expect(await lastEntry()).toMatchObject({
      action: "admin.work_retry",
      target: { type: "repository", id: repo.id, name: `ada/${repo.name}` },
      details: { now: true },
    });
    const done = await once(repo.workflowId, (one) => one.state === "completed");
    expect(done).toMatchObject({ failure: [], may_retry: null, may_cancel: false, waiting_for: [] });
    expect(done.duration_ms).toBeGreaterThan(0);
    // They are counted anew: the try that was due in some seconds would have been the second.
    expect(await triesOf(server, repo.workflowId)).toEqual([1]);
    const again = await post(repo.workflowId, "retry");
    expect([again.status, again.json.error]).toEqual([409, "conflict"]);
  });

  it("is cancelled, and begun anew", async () => {
    const repo = await broken();
    await once(repo.workflowId, (one) => one.waiting_for[0]?.state === "waiting_for_retry");
    expect((await post(repo.workflowId, "cancel")).status).toBe(202);
    expect(await lastEntry()).toMatchObject({ action: "admin.work_cancel", details: { force: false } });
    const ended = await once(repo.workflowId, (one) => one.state === "cancelled");
    expect(ended).toMatchObject({ may_retry: "again", may_cancel: false, may_end: false });
    expect((await post(repo.workflowId, "cancel")).status).toBe(409);
    const mark = await server.container.platform.db.one<{ problem: string; later: boolean }>(
      "select problem, due_at > now() + interval '5 hours' as later from statistics_marks where repository_id = $1",
      [repo.id],
    );
    expect(mark).toEqual({ problem: "cancelled by root-admin", later: true });
    await repo.repair();
    expect((await post(repo.workflowId, "retry")).status).toBe(202);
    await once(repo.workflowId, (one) => one.state === "completed" && one.execution !== ended.execution);
    expect(await detail(repo.workflowId, ended.execution)).toMatchObject({
      state: "cancelled",
      superseded: true,
      may_retry: null,
    });
  });
});

describe("work that failed", () => {
  it("tells why", async () => {
    const workflowId = statisticsWorkflowId("repo_of_nobody");
    const { workflow } = server.container.platform.temporal.client;
    await workflow.start(statisticsWorkflowName, { taskQueue, workflowId, args: [{ repositoryId: 7 }] });
    const work = await once(workflowId, ({ state }) => state === "failed");
    expect(work).toMatchObject({
      subject: null,
      may_retry: "again",
      failure: [{ type: "unreadable", message: expect.stringContaining("expected string") }],
    });
    const page = await listed("state=unsuccessful", ({ work: all }) =>
      all.some(({ id }) => id === workflowId),
    );
    expect(page.next_cursor).toBeNull();
  });
});

describe("the work of a run", () => {
  it("goes on where it was ended, with what happened since", async () => {
    const one = await run();
    const held = await one.runner.take("one");
    await one.runner.start(held);
    await once(one.workflowId, ({ subject }) => subject?.pipeline_status === "running");
    await terminate(one.workflowId);
    await one.runner.done(held);
    await untilDelivered(server, one.runId);
    const stopped = await detail(one.workflowId);
    expect(stopped).toMatchObject({
      kind: "pipeline_run",
      state: "terminated",
      subject: { repository: `ada/${one.name}`, pipeline_id: one.runId, pipeline_number: 1 },
      failure: [{ type: "terminated", message: "by hand, with password=[redacted]" }],
      waiting_for: [],
      may_retry: "again",
      may_cancel: false,
      may_end: true,
    });
    expect((await post(one.workflowId, "retry")).status).toBe(202);
    expect(await lastEntry()).toMatchObject({
      action: "admin.work_retry",
      target: { type: "pipeline", id: one.runId },
    });
    await one.runner.run("two");
    await runIs(server.container.platform.db, one.runId, "success");
    await once(one.workflowId, ({ state }) => state === "completed");
    expect(await detail(one.workflowId, stopped.execution)).toMatchObject({
      superseded: true,
      may_retry: null,
    });
  });

  it("is cancelled with the run", async () => {
    const one = await run();
    await one.runner.take("one");
    expect((await post(one.workflowId, "cancel")).status).toBe(202);
    expect(await lastEntry()).toMatchObject({ action: "pipeline.cancel", target: { id: one.runId } });
    await untilStopRequested(server, one.runId);
    expect((await post(one.workflowId, "cancel", { force: true })).status).toBe(202);
    await runIs(server.container.platform.db, one.runId, "error");
    expect(await detail(one.workflowId)).toMatchObject({
      state: "terminated",
      may_retry: null,
      may_end: false,
    });
  });

  it("leaves no open run behind when it is gone", async () => {
    const one = await run();
    await one.runner.take("one");
    await terminate(one.workflowId);
    expect((await post(one.workflowId, "cancel")).status).toBe(409);
    expect((await post(one.workflowId, "cancel", { force: true })).status).toBe(202);
    expect((await runIs(server.container.platform.db, one.runId, "error")).reason).toMatch(/^internal:/);
    expect((await post(one.workflowId, "retry")).status).toBe(409);
  });
});

describe("all work", () => {
  it("is given in pages by cursor", async () => {
    const all = (await listed("per_page=100", ({ work }) => work.length >= 7)).work;
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: WorkPage = await get(`/admin/work?per_page=2${cursor === null ? "" : `&cursor=${cursor}`}`);
      found.push(...page.work.map(({ execution }) => execution));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(found).toEqual(all.map(({ execution }) => execution));
    const wrong = await server.api("GET", "/admin/work?cursor=bm90LW91cnM", { token: root.token });
    expect([wrong.status, wrong.json.error]).toEqual([400, "bad_request"]);
  });

  it("is counted, with the workers that are there", async () => {
    const overview = await get<WorkOverview>("/admin/work/overview");
    expect(overview).toMatchObject({
      task_queue: taskQueue,
      workers: [{ name: expect.stringMatching(/^\d+@/) }],
      handover: { waiting: 0, refused: 0 },
    });
    const counted = overview.counts.find(
      ({ kind, state }) => kind === "pipeline_run" && state === "terminated",
    );
    expect(counted?.count).toBeGreaterThan(0);
    // Who asks gets what the one before has made to be counted.
    const metrics = await eventually(async () => {
      const all = await server.container.platform.metrics.metrics();
      return all.includes("forgeline_work{") && all;
    });
    expect(metrics).toMatch(/^forgeline_work\{kind="pipeline_run",state="terminated"\} [1-9]/m);
    expect(metrics).toMatch(/^forgeline_work_actions_total\{action="retry",kind="pipeline_run"\} 1$/m);
  });

  it("does not show what another installation does, and nothing to others", async () => {
    const { workflow } = server.container.platform.temporal.client;
    const id = `statistics:elsewhere-${process.pid}`;
    await workflow.start(statisticsWorkflowName, {
      taskQueue: `${taskQueue}-else`,
      workflowId: id,
      args: [{}],
    });
    expect((await server.api("GET", place(id), { token: root.token })).status).toBe(404);
    expect((await post(id, "cancel", { force: true })).status).toBe(404);
    await workflow.getHandle(id).terminate();
    expect((await server.api("GET", "/admin/work", { token: ada.token })).status).toBe(403);
    expect((await server.api("GET", place("no-such-work"), { token: root.token })).status).toBe(404);
  });
});

it("begins the next round of maintenance where one was ended", async () => {
  await server.container.platform.db.query(
    `insert into repository_maintenance (repository_id, maintained_at, checked_at) select id, now(), now() from repositories
     on conflict (repository_id) do update set maintained_at = now(), checked_at = now()`,
  );
  const { client } = server.container.platform.temporal;
  await client.schedule.getHandle(`maintenance:${taskQueue}`).pause();
  const workflowId = `maintenance:${taskQueue}-by-hand`;
  await client.workflow.start("maintenanceRound", { taskQueue, workflowId, startDelay: "1 hour" });
  expect((await post(workflowId, "retry")).status).toBe(409);
  expect((await post(workflowId, "cancel", { force: true })).status).toBe(202);
  expect(await lastEntry()).toMatchObject({
    action: "admin.work_cancel",
    target: { type: "work", name: workflowId },
  });
  expect((await detail(workflowId)).failure).toEqual([
    { type: "terminated", message: "ended by root-admin" },
  ]);
  expect((await post(workflowId, "retry")).status).toBe(202);
  const page = await listed("kind=repository_upkeep&state=completed", ({ work }) => work.length === 1);
  expect(page.work[0]).toMatchObject({ subject: null, waiting_for: [], superseded: false });
});
