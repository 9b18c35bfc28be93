import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Plan, PlanClause } from "@forgeline/schemas/pipeline-file/plan.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { cancelRun, rerunRun } from "@forgeline/server/domains/pipelines/runs/change-run.ts";
import { neededOutputs } from "@forgeline/server/domains/pipelines/runs/needed-outputs.ts";
import { lockRun } from "@forgeline/server/domains/pipelines/runs/run-record.ts";
import { eventually } from "../../support/eventually.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import {
  announced,
  failedResult,
  handRunner,
  insertRepository,
  insertRun,
  jobsOf,
  planJob,
  planOf,
  runIs,
  type TestRepository,
} from "../../support/runs.ts";

/** Longer than any test waits, so that none passes because some time was up. */
const patient = { graceMs: 3_600_000, marginMs: 0, alwaysMs: 3_600_000 };
/** Of runs that begin from now on. */
const limits = { ...patient };
let bed: Orchestration;
let repository: TestRepository;
beforeAll(async () => {
  bed = await startOrchestration(limits);
  repository = await insertRepository(bed.db);
});
afterEach(() => Object.assign(limits, patient));
afterAll(() => bed.close());

const always: PlanClause = { status: "always", text: "status: always" };
const onFailure: PlanClause = { status: "failure", text: "status: failure" };

async function begin(plan: Plan) {
  const { id } = await insertRun(bed.db, repository, plan);
  return { id, runner: handRunner(bed.db, id), jobs: () => jobsOf(bed.db, id) };
}
const cancel = (pipelineId: string, force = false) =>
  cancelRun(bed.db, systemActor, { pipelineId, name: "test", force });
const rerun = (pipelineId: string, from: string) =>
  rerunRun(bed.db, systemActor, { pipelineId, name: "test", from });
const jobIs = (jobs: () => Promise<Record<string, string>>, key: string, wanted: string) =>
  eventually(async () => (await jobs())[key] === wanted);

describe("order", () => {
  it("runs stages one after the other and ends with success", async () => {
    const run = await begin(
      planOf([
        planJob({ key: "compile", stage: "build" }),
        planJob({ key: "unit", stage: "test" }),
        planJob({ key: "ship", stage: "deploy" }),
      ]),
    );
    for (const key of ["compile", "unit", "ship"]) await run.runner.run(key);
    await runIs(bed.db, run.id, "success");
    expect(await run.jobs()).toEqual({ compile: "success", unit: "success", ship: "success" });
  });

  it("after a failure skips what comes later, with the reason, and runs what asks for it", async () => {
    const run = await begin(
      planOf([
        planJob({ key: "compile", stage: "build" }),
        planJob({ key: "unit", stage: "test", needs: [{ job: "compile", optional: false }] }),
        planJob({ key: "report", stage: "test", needs: [{ job: "unit", optional: true }] }),
        planJob({ key: "pack", stage: "test", needs: [{ job: "unit", optional: false }] }),
        planJob({ key: "ship", stage: "deploy" }),
        planJob({ key: "tell", stage: "deploy", when: [onFailure] }),
      ]),
    );
    await run.runner.run("compile", failedResult);
    await run.runner.run("report");
    await run.runner.run("tell");
    expect(await runIs(bed.db, run.id, "failed")).toMatchObject({ reason: "exit:1" });
    expect(await run.jobs()).toEqual({
      compile: "failed exit:1",
      unit: "skipped need_failed:compile",
      report: "success",
      pack: "skipped need_skipped:unit",
      ship: "skipped stage_skipped",
      tell: "success",
    });
  });

  it("starts jobs with empty needs at once, and gives outputs to those that need them", async () => {
    const run = await begin(
      planOf([
        planJob({ key: "slow", stage: "build" }),
        planJob({ key: "version", stage: "test", needs: [] }),
        planJob({
          key: "ship",
          stage: "test",
          needs: [{ job: "version", optional: false }],
          env: { V: "v${{ needs.version.outputs.n }}" },
        }),
      ]),
    );
    await run.runner.run("version", { outputs: { n: "7" } });
    const ship = await run.runner.take("ship");
    const row = await bed.db.one<{ job: { env: Record<string, string> } }>(
      "select job from job_attempts where id = $1",
      [ship.attemptId],
    );
    expect(row?.job.env).toEqual({ V: "v7" });
    await run.runner.start(ship);
    await run.runner.done(ship);
    await run.runner.run("slow");
    await runIs(bed.db, run.id, "success");
  });

  it("reads outputs of needed jobs piece by piece, and gives no job more than it can be given", async () => {
    const sources = Array.from({ length: 40 }, (_, i) => `p${i}`);
    const needing = (key: string, keys: readonly string[]) =>
      planJob({ key, stage: "test", needs: keys.map((job) => ({ job, optional: false })) });
    const few = Array.from({ length: 10 }, (_, i) => needing(`few${i}`, sources.slice(i * 4, i * 4 + 4)));
    const builds = sources.map((key) => planJob({ key, stage: "build" }));
    const plan = planOf([...builds, ...few, needing("all", sources)]);
    const { id } = await insertRun(bed.db, repository, plan);
    await bed.db.query(
      `update jobs set outputs = jsonb_build_object('own', key, 'long', repeat('x', 1000000))
       where pipeline_id = $1 and key like 'p%'`,
      [id],
    );
    await bed.db.transaction(async (tx) => {
      const { jobs = [] } = (await lockRun(tx, id)) ?? {};
      const needed = await neededOutputs(tx, { pipeline: { id }, jobs }, plan.jobs);
      for (const job of few) {
        const outputs = await needed.of(job);
        if (typeof outputs === "string") throw new Error(outputs);
        const owners = [...outputs.values()].map(({ own }) => own);
        for (const { job: key } of job.needs ?? []) expect(owners).toContain(key);
        expect(outputs.size).toBeLessThanOrEqual(33);
      }
      expect(await needed.of(needing("all", sources))).toMatch(/^The outputs .* add up to 38\.\d MiB/);
    });
  });

  it("ends a job that needs more than it can be given, as an error of the file", async () => {
    const sources = Array.from({ length: 5 }, (_, i) => `p${i}`);
    const run = await begin(
      planOf([
        ...sources.map((key) => planJob({ key, stage: "build" })),
        planJob({ key: "all", stage: "test", needs: sources.map((job) => ({ job, optional: false })) }),
      ]),
    );
    for (const key of sources) await run.runner.run(key, { outputs: { long: "x".repeat(1_000_000) } });
    await runIs(bed.db, run.id, "error");
    expect((await run.jobs())["all"]).toBe("error config");
  });

  it("goes on after an allowed failure, and counts a warning", async () => {
    const run = await begin(
      planOf([planJob({ key: "lint", stage: "a", allowFailure: [1] }), planJob({ key: "ship", stage: "b" })]),
    );
    await run.runner.run("lint", failedResult);
    await run.runner.run("ship");
    expect(await runIs(bed.db, run.id, "success")).toMatchObject({ warnings: 1 });
    expect((await run.jobs())["lint"]).toBe("failed exit:1");
  });

  it("takes a job that ended before its start was reported", async () => {
    const run = await begin(planOf([planJob({ key: "quick" })]));
    const held = await run.runner.take("quick");
    expect(await run.runner.done(held)).toBe(true);
    expect(await run.runner.start(held)).toBe(true);
    await runIs(bed.db, run.id, "success");
  });
});

describe("further tries", () => {
  it("tries again by reason, waiting in between, and keeps each try", async () => {
    const retry = { max: 2, on: ["exit:1"], delayMs: 30, factor: 2, maxDelayMs: 100 };
    const run = await begin(planOf([planJob({ key: "flaky", retry })]));
    await run.runner.run("flaky", failedResult);
    await run.runner.run("flaky", failedResult);
    const last = await run.runner.run("flaky");
    expect(last.attempt).toBe(3);
    await runIs(bed.db, run.id, "success");
  });

  it("runs a reclaimed job again and refuses the old runner's result", async () => {
    const run = await begin(planOf([planJob({ key: "lost" })]));
    const first = await run.runner.take("lost");
    await run.runner.start(first);
    expect(await run.runner.reclaim(first)).toBe(true);
    expect(await run.runner.done(first)).toBe(false);
    await run.runner.run("lost");
    await runIs(bed.db, run.id, "success");
  });
});

describe("cancel", () => {
  it("ends what waits at once, stops what runs, and still runs what says always", async () => {
    const run = await begin(
      planOf([
        planJob({ key: "work", stage: "a" }),
        planJob({ key: "queued", stage: "a" }),
        planJob({ key: "later", stage: "b" }),
        planJob({ key: "clean", stage: "c", when: [always] }),
      ]),
    );
    const held = await run.runner.take("work");
    await run.runner.start(held);
    await jobIs(run.jobs, "work", "running");
    await jobIs(run.jobs, "queued", "queued");
    await cancel(run.id);
    await jobIs(run.jobs, "work", "cancelling user:system");
    await jobIs(run.jobs, "later", "cancelled user:system");
    await jobIs(run.jobs, "queued", "cancelled user:system");
    const told = await bed.db.one<{ cancel: object }>("select cancel from job_attempts where id = $1", [
      held.attemptId,
    ]);
    expect(told?.cancel).toMatchObject({ reason: "user:system", status: "cancelled", force: false });
    await run.runner.done(held, { status: "cancelled", reason: "user:system" });
    await run.runner.run("clean");
    await runIs(bed.db, run.id, "cancelled");
    expect((await run.jobs())["clean"]).toBe("success");
  });

  it("ends what does not stop without its runner, whose late result is refused", async () => {
    limits.graceMs = 100;
    const run = await begin(planOf([planJob({ key: "deaf" })]));
    const held = await run.runner.take("deaf");
    await run.runner.start(held);
    await jobIs(run.jobs, "deaf", "running");
    await cancel(run.id);
    await runIs(bed.db, run.id, "cancelled");
    expect(await run.runner.done(held)).toBe(false);
  });

  it("with force does not wait for what says always", async () => {
    const run = await begin(planOf([planJob({ key: "work" }), planJob({ key: "clean", when: [always] })]));
    await jobIs(run.jobs, "clean", "queued");
    await cancel(run.id, true);
    await runIs(bed.db, run.id, "cancelled");
    expect(await run.jobs()).toEqual({ work: "cancelled user:system", clean: "cancelled user:system" });
  });
});

describe("limits", () => {
  it("ends a job that nobody takes, and says why nobody did", async () => {
    const run = await begin(planOf([planJob({ key: "alone", queueTimeoutMs: 100 })]));
    await runIs(bed.db, run.id, "error");
    expect(await run.jobs()).toEqual({ alone: "error queue_timeout" });
    const [job] = await bed.db.query("select message from jobs where pipeline_id = $1", [run.id]);
    expect(job?.message).toMatch(/queue limit\. No runner that can take this job is connected\.$/);
  });

  it("stops a job, a stage and a run that take too long", async () => {
    const job = planJob({
      key: "slow",
      timeoutMs: 100,
      retry: { max: 0, on: [], delayMs: 0, factor: 1, maxDelayMs: 0 },
    });
    const stage = { name: "main", title: null, needs: null, when: [], timeoutMs: 100, concurrency: null };
    const slow = planJob({ key: "slow" });
    const plans = [planOf([job]), planOf([slow], { stages: [stage] }), planOf([slow], { timeoutMs: 100 })];
    for (const plan of plans) {
      const run = await begin(plan);
      const held = await run.runner.take("slow");
      await run.runner.start(held);
      await jobIs(run.jobs, "slow", "cancelling timeout");
      await run.runner.done(held, { status: "failed", reason: "timeout" });
      expect(await runIs(bed.db, run.id, "failed")).toMatchObject({ reason: "timeout" });
    }
  });
});

describe("rerun", () => {
  it("runs again what failed and what did not run because of it, and keeps the rest", async () => {
    const run = await begin(
      planOf([
        planJob({ key: "compile", stage: "build" }),
        planJob({ key: "unit", stage: "test" }),
        planJob({ key: "ship", stage: "deploy" }),
      ]),
    );
    await run.runner.run("compile");
    await run.runner.run("unit", failedResult);
    await runIs(bed.db, run.id, "failed");
    await rerun(run.id, "failed");
    expect((await run.runner.run("unit")).attempt).toBe(2);
    await run.runner.run("ship");
    await runIs(bed.db, run.id, "success");
    const sql = "select attempts as n from jobs where pipeline_id = $1 and key = 'compile'";
    expect(await bed.db.one(sql, [run.id])).toEqual({ n: 1 });
    expect(await announced(bed.db, run.id)).toEqual(["started", "finished", "started", "finished"]);
  });
});

describe("a run that cannot be decided", () => {
  it("ends as our own error instead of staying open for ever", async () => {
    const run = await begin({ ...planOf([planJob({ key: "work" })]), timeoutMs: -1 });
    expect((await runIs(bed.db, run.id, "error")).reason).toMatch(/^internal:/);
    expect((await run.jobs())["work"]).toMatch(/^error internal:/);
  });
});
