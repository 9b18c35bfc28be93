/** Stages whose jobs run on one runner: who is offered what, who waits, and what comes of it when the runner is lost. */
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import { endPlacements } from "@forgeline/server/domains/pipelines/placements/over.ts";
import { createRunMetrics } from "@forgeline/server/domains/pipelines/runs/metrics.ts";
import {
  createRunService,
  type RunService,
} from "@forgeline/server/domains/pipelines/runs/workflow-service.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { eventually } from "../../support/eventually.ts";
import { sumOf } from "../../support/figures.ts";
import { noMails } from "../../support/no-mails.ts";
import type { ProtocolRunner } from "../../support/protocol-runner.ts";
import { insertRepository, insertRun, planJob, planOf, type TestRepository } from "../../support/runs.ts";
import { hubFixture, type HubFixture, type HubServer } from "./fixture.ts";

const logger = createLogger({ name: "test", level: "silent" });
const dayMs = 86_400_000;

let hub: HubFixture;
/** Of each test its own, so that its runners are offered its jobs and no others. */
let label = 0;
let server: HubServer;
let runs: RunService;
let repository: TestRepository;
beforeAll(async () => {
  hub = await hubFixture();
  server = await hub.server();
  repository = await insertRepository(hub.db);
  runs = createRunService({
    db: hub.db,
    webUrl: "https://localhost",
    mail: noMails,
    signJobs: async () => false,
    metrics: createRunMetrics(new Registry(), hub.db),
    logger,
  });
});
beforeEach(async () => {
  label += 1;
  await hub.db.query("delete from job_attempts");
  await hub.db.query("update server_uptime set up_since = now() - interval '1 day'");
});
afterAll(() => hub.close());

const labels = () => [`l${label}`];

type Job = Partial<PlanJob> & { key: string };

const sharing = (key: string, needs: string[] | null = null): Job => ({
  key,
  workspace: "stage",
  needs: needs?.map((job) => ({ job, optional: false })) ?? null,
});

/** A run whose only stage is placed together. */
async function stageOf(...jobs: Job[]) {
  const plan = planOf(jobs.map((job) => planJob({ runnerLabels: labels(), ...job })));
  const stages = plan.stages.map((stage) => ({ ...stage, placement: "together" as const }));
  const { id: pipelineId } = await insertRun(hub.db, repository, { ...plan, stages });
  const run = { pipelineId, sequence: 1 };
  const ids = new Map((await runs.loadRun(run)).jobs.map(({ key, id }) => [key, id]));
  const met = { outcome: "success", stageOutcome: "success", blocked: null } as const;
  return {
    async start(key: string, attempt = 1): Promise<JobStarted | undefined> {
      const start = { jobId: ids.get(key) ?? "", attempt, retry: attempt > 1, ...met };
      return (await runs.startJobs({ ...run, settled: [], jobs: [start] }))[0];
    },
    /** As the workflow would, after the result. */
    settle: (key: string) =>
      runs.settleJobs({
        ...run,
        jobs: [{ jobId: ids.get(key) ?? "", attempt: 1, status: "success", reason: null, allowed: false }],
      }),
    async attempt(key: string) {
      const row = await hub.db.one<{
        state: string;
        reason: string | null;
        runner_id: string | null;
        labels: string[];
        placement_id: string;
      }>(
        "select state, reason, runner_id, labels, placement_id from job_attempts where job_id = $1 order by attempt desc limit 1",
        [ids.get(key)],
      );
      if (!row) throw new Error(`${key} has no attempt`);
      return row;
    },
    job: (key: string) =>
      hub.db.one<{ status: string; reason: string | null; message: string | null }>(
        "select status, reason, message from jobs where id = $1",
        [ids.get(key)],
      ),
    placements: () =>
      hub.db.query<{ state: string; runner_id: string | null; lost: boolean }>(
        "select state, runner_id, lost from placements where pipeline_id = $1 order by created_at",
        [pipelineId],
      ),
  };
}

const able = (capacity = 1) => hub.connected(server, { capacity, sharedWorkspaces: [], labels: labels() });

const offered = (runner: ProtocolRunner) => runner.received.some(({ t }) => t === "offer");

/** Begins its first step, and ends. */
async function work(runner: ProtocolRunner, spec: LeaseSpec): Promise<void> {
  const { attemptId, epoch } = spec;
  runner.say({ t: "started", attemptId, epoch, timeMs: Date.now() });
  await runner.ask({ t: "step_started", attemptId, epoch, position: 0, name: "s", timeMs: Date.now() });
  await runner.runTrivially(spec);
}

test("the runner of the first job gets the others too, also if another one has more room", async () => {
  const first = await able(1);
  const stage = await stageOf({ key: "a" }, { key: "b" });
  await stage.start("a");
  const lease = await first.runner.acceptNext();
  expect(lease.sharedWorkspace).toBeNull();
  const roomy = await able(5);
  await stage.start("b");
  await hub.queue({ labels: labels() });
  // This one shows that the other runner has been asked.
  await roomy.runner.acceptNext();
  expect([offered(roomy.runner), (await stage.attempt("b")).state]).toEqual([false, "queued"]);
  await work(first.runner, lease);
  expect((await first.runner.acceptNext()).attemptId).not.toBe(lease.attemptId);
  expect((await stage.attempt("b")).runner_id).toBe(first.key.id);
});

test("jobs with workspaces of their own run at the same time, those that share one in turn", async () => {
  const { runner } = await able(4);
  const stage = await stageOf(sharing("a"), sharing("b"), { key: "own" });
  await stage.start("a");
  await stage.start("b");
  await stage.start("own");
  const leases = [await runner.acceptNext(), await runner.acceptNext()];
  const shared = leases.filter((lease) => lease.sharedWorkspace !== null);
  expect(shared.map(({ sharedWorkspace }) => sharedWorkspace?.isNew)).toEqual([true]);
  expect(offered(runner)).toBe(false);
  const [one] = shared;
  if (!one) throw new Error("no lease");
  await work(runner, one);
  const next = await runner.acceptNext();
  expect(next.sharedWorkspace).toEqual({ id: one.sharedWorkspace?.id, isNew: false });
});

test("runners that do not know of it, and those for one job, are never offered such a job", async () => {
  const old = await hub.connected(server, { capacity: 9, labels: labels() });
  const spent = await hub.runner();
  await hub.db.query("update runners set one_job = true where id = $1", [spent.id]);
  const oneJob = hub.connect(server, spent, { sharedWorkspaces: [], labels: labels() });
  await oneJob.hello();
  const stage = await stageOf({ key: "a" });
  await stage.start("a");
  await hub.queue({ labels: labels() });
  await hub.queue({ labels: labels() });
  await old.runner.acceptNext();
  await old.runner.acceptNext();
  expect((await stage.attempt("a")).state).toBe("queued");
  const knowing = await able();
  await knowing.runner.acceptNext();
  expect((await stage.attempt("a")).runner_id).toBe(knowing.key.id);
});

test("a refused first offer leaves the stage to any runner", async () => {
  const { runner } = await able();
  const stage = await stageOf(sharing("a"), sharing("b"));
  await stage.start("a");
  const { attemptId, epoch } = await runner.take("offer");
  await stage.start("b");
  const { runner_id: refusing } = await stage.attempt("a");
  expect((await stage.attempt("b")).labels).toContain(`@on:${refusing}`);
  await runner.ask({ t: "offer_answer", attemptId, epoch, accept: false, reject: "draining" });
  await eventually(async () => (await stage.placements())[0]?.state === "open");
  expect((await stage.attempt("b")).labels).toContain("@on:any");
  const other = await able();
  expect((await other.runner.acceptNext()).sharedWorkspace?.isNew).toBe(true);
});

test("a workspace may go when its stage is over, and not before", async () => {
  const { runner } = await able();
  const stage = await stageOf(sharing("a"));
  await stage.start("a");
  const lease = await runner.acceptNext();
  const id = lease.sharedWorkspace?.id ?? "";
  runner.beat([lease], [id, "plc_unknown"]);
  expect((await runner.take("heartbeat_ack")).release).toEqual(["plc_unknown"]);
  await work(runner, lease);
  runner.beat([], [id]);
  expect((await runner.take("heartbeat_ack")).release).toBeUndefined();
  await stage.settle("a");
  await endPlacements(hub.db, dayMs);
  runner.beat([], [id]);
  expect((await runner.take("heartbeat_ack")).release).toEqual([id]);
});

test("a lost runner: what has not begun goes elsewhere; what needs its files is refused, with the reason", async () => {
  const { key, runner } = await able(2);
  const stage = await stageOf(sharing("a"), sharing("b", ["a"]), sharing("c"));
  await stage.start("a");
  await work(runner, await runner.acceptNext());
  await stage.settle("a");
  runner.vanish();
  await eventually(async () => {
    const row = await hub.db.one<{ gone: boolean }>(
      "select instance_id is null as gone from runners where id = $1",
      [key.id],
    );
    return row?.gone;
  });
  await stage.start("b");
  await stage.start("c");
  // The server's own sweep may come first.
  const lost = () => sumOf('forgeline_placements_lost_total{shared="yes"}', [hub.counted, server.registry]);
  const before = await lost();
  await hub.db.query("update runners set last_seen_at = now() - interval '1 hour' where id = $1", [key.id]);
  for (let i = 0; i < 2; i += 1) await endPlacements(hub.db, 60_000);
  await eventually(async () => expect(await lost()).toBe(before + 1));
  expect(await stage.attempt("b")).toMatchObject({ state: "ended", reason: "runner_lost" });
  expect(await stage.attempt("c")).toMatchObject({ state: "ended", reason: "runner_lost" });
  expect(await stage.placements()).toMatchObject([{ state: "over", lost: true }]);
  // As the workflow would retry both.
  expect(await stage.start("b", 2)).toMatchObject({ status: "error", reason: "runner_lost" });
  expect((await stage.job("b"))?.message).toMatch(/share a workspace.*was lost.*Run the stage again/);
  expect(await stage.start("c", 2)).toMatchObject({ status: "queued" });
  const other = await able();
  expect((await other.runner.acceptNext()).sharedWorkspace?.isNew).toBe(true);
});

test("before anything has begun, queued jobs of a lost runner get another one and lose no try", async () => {
  const { runner } = await able(1);
  const stage = await stageOf({ key: "a" }, { key: "b" });
  await stage.start("a");
  const lease = await runner.acceptNext();
  await stage.start("b");
  await work(runner, lease);
  const { attemptId, epoch } = await runner.take("offer");
  await runner.ask({ t: "drain", draining: true });
  await runner.ask({ t: "offer_answer", attemptId, epoch, accept: false, reject: "draining" });
  await eventually(async () => (await stage.attempt("b")).state === "queued");
  await endPlacements(hub.db, dayMs);
  expect(await stage.attempt("b")).toMatchObject({ state: "queued" });
  const other = await able();
  expect((await other.runner.acceptNext()).attemptId).toBe(attemptId);
});

test("a runner that comes back without the workspace loses the stage", async () => {
  const { key, runner } = await able();
  const stage = await stageOf(sharing("a"), sharing("b", ["a"]));
  await stage.start("a");
  await work(runner, await runner.acceptNext());
  await stage.settle("a");
  runner.vanish();
  const again = hub.connect(server, key, {
    instanceId: runner.instanceId,
    sharedWorkspaces: [],
    labels: labels(),
  });
  await again.hello();
  expect(await stage.placements()).toMatchObject([{ state: "over", lost: true }]);
  expect(await stage.start("b")).toMatchObject({ status: "error", reason: "runner_lost" });
});

test("a stage that waits for an hour gives the runner up", async () => {
  const { runner } = await able();
  const stage = await stageOf(sharing("a"), sharing("b"));
  await stage.start("a");
  await work(runner, await runner.acceptNext());
  await stage.settle("a");
  await endPlacements(hub.db, dayMs);
  expect(await stage.placements()).toMatchObject([{ state: "held" }]);
  await hub.db.query("update placements set chosen_at = now() - interval '2 hours' where state = 'held'");
  await hub.db.query("update job_attempts set finished_at = now() - interval '61 minutes'");
  await endPlacements(hub.db, dayMs);
  expect(await stage.placements()).toMatchObject([{ state: "over", lost: true }]);
});

test("two claims at the same moment choose one runner", async () => {
  const stage = await stageOf(...["a", "b", "c", "d"].map((key) => ({ key })));
  for (const key of ["a", "b", "c", "d"]) await stage.start(key);
  const others = await hub.server();
  const [one, two] = await Promise.all([
    hub.connected(server, { capacity: 4, sharedWorkspaces: [], labels: labels() }),
    hub.connected(others, { capacity: 4, sharedWorkspaces: [], labels: labels() }),
  ]);
  await eventually(async () => {
    // Who found the placement taken looks again when something is queued.
    await hub.db.query("select pg_notify('queue', $1)", [repository.id]);
    const states = await Promise.all(["a", "b", "c", "d"].map((key) => stage.attempt(key)));
    return states.every(({ state }) => state === "offered");
  });
  const runnersOf = await Promise.all(["a", "b", "c", "d"].map((key) => stage.attempt(key)));
  expect(new Set(runnersOf.map(({ runner_id: id }) => id)).size).toBe(1);
  expect([one.key.id, two.key.id]).toContain(runnersOf[0]?.runner_id);
});
