/** Gates of a run with the real workflow: what waits, what passes, and what ends it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import { cancelRun, rerunRun } from "@forgeline/server/domains/pipelines/runs/change-run.ts";
import { createRunRecovery } from "@forgeline/server/domains/pipelines/runs/recover-run.ts";
import { pipelineWorkflowId } from "@forgeline/schemas/pipelines/workflow.ts";
import { systemActor, type Actor } from "@forgeline/server/platform/access/actor.ts";
import { approvalRule, decideAt, insertPerson } from "../../support/approvals.ts";
import { eventually } from "../../support/eventually.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import {
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

let bed: Orchestration;
let repository: TestRepository;
let ada: Actor;
let ben: Actor;
beforeAll(async () => {
  bed = await startOrchestration();
  repository = await insertRepository(bed.db);
  [ada, ben] = await Promise.all([
    insertPerson(bed.db, repository, "write"),
    insertPerson(bed.db, repository, "write"),
  ]);
});
afterAll(() => bed.close());

async function begin(plan: Plan) {
  const { id } = await insertRun(bed.db, repository, plan);
  const jobs = () => jobsOf(bed.db, id);
  return {
    id,
    runner: handRunner(bed.db, id),
    jobs,
    become: (wanted: Record<string, string>) =>
      eventually(
        async () => {
          expect(await jobs()).toMatchObject(wanted);
          return true;
        },
        { intervalMs: 5 },
      ),
    approve: (by: Actor, place: { job: string } | { stage: string }) =>
      decideAt(bed.db, by, { pipelineId: id, ...place, decision: "approve" }),
    reject: (by: Actor, place: { job: string } | { stage: string }, comment?: string) =>
      decideAt(bed.db, by, {
        pipelineId: id,
        ...place,
        decision: "reject",
        ...(comment === undefined ? {} : { comment }),
      }),
    gates: () =>
      bed.db.query<{ place: string; state: string; sequence: number }>(
        `select coalesce(job, stage) as place, state, sequence from approval_gates where pipeline_id = $1 order by opened_at, id`,
        [id],
      ),
  };
}

const rule = approvalRule;
/** `build`, then `deploy` with an approval: `ship` follows the order of stages, `tag` needs nothing, `check` needs `ship`. */
function release(approval: ReturnType<typeof rule>, more: Partial<Plan> = {}): Plan {
  const plan = planOf([
    planJob({ key: "compile", stage: "build" }),
    planJob({ key: "ship", stage: "deploy" }),
    planJob({ key: "tag", stage: "deploy", needs: [] }),
    planJob({ key: "check", stage: "deploy", needs: [{ job: "ship", optional: false }] }),
  ]);
  const stages = plan.stages.map((stage) => (stage.name === "deploy" ? { ...stage, approval } : stage));
  return { ...plan, stages, ...more };
}

describe("a stage's gate", () => {
  it("holds all jobs of the stage, those with needs too, until enough people have approved", async () => {
    const run = await begin(release(rule({ count: 2 })));
    await run.become({ tag: "awaiting_approval approval:stage", compile: "queued" });
    await run.runner.run("compile");
    await run.become({ ship: "awaiting_approval approval:stage", check: "waiting needs" });
    await runIs(bed.db, run.id, "awaiting_approval");
    expect(await run.approve(ada, { stage: "deploy" })).toMatchObject({ state: "open", count: 2 });
    expect(await run.approve(ada, { stage: "deploy" })).toMatchObject({ approvals: [{ counts: true }] });
    await run.become({ tag: "awaiting_approval approval:stage" });
    expect(await run.approve(ben, { stage: "deploy" })).toMatchObject({ state: "approved" });
    for (const key of ["tag", "ship", "check"]) await run.runner.run(key);
    await runIs(bed.db, run.id, "success");
    expect(await run.gates()).toEqual([{ place: "deploy", state: "approved", sequence: 1 }]);
  });

  it("lets nothing of the stage start once it was rejected", async () => {
    const run = await begin(release(rule()));
    await run.become({ tag: "awaiting_approval approval:stage" });
    await run.reject(ada, { stage: "deploy" }, "not today");
    await run.become({ tag: "failed approval_rejected" });
    await run.runner.run("compile");
    await runIs(bed.db, run.id, "failed");
    expect(await run.jobs()).toMatchObject({
      ship: "failed approval_rejected",
      check: "skipped need_failed:ship",
    });
    const row = await bed.db.one("select message from jobs where pipeline_id = $1 and key = 'ship'", [
      run.id,
    ]);
    expect(row).toEqual({ message: `Rejected by ${ada.username}: not today` });
  });

  it("is not reached by a stage that does not run", async () => {
    const plan = release(rule());
    const run = await begin(plan);
    await run.become({ tag: "awaiting_approval approval:stage" });
    await run.runner.run("compile", failedResult);
    await run.become({ ship: "skipped stage_skipped" });
    await run.approve(ada, { stage: "deploy" });
    await run.runner.run("tag");
    await runIs(bed.db, run.id, "failed");
  });
});

describe("a job's gate", () => {
  it("is asked after that of its stage, and not again for a retry", async () => {
    const plan = planOf([
      planJob({ key: "ship", approval: rule(), retry: { ...planJob({ key: "a" }).retry, on: ["any"] } }),
    ]);
    const run = await begin({
      ...plan,
      stages: plan.stages.map((stage) => ({ ...stage, approval: rule() })),
    });
    await run.become({ ship: "awaiting_approval approval:stage" });
    await run.approve(ada, { stage: "main" });
    await run.become({ ship: "awaiting_approval approval:job" });
    const above = await bed.db.one(
      "select p.reason as run, s.reason as stage from pipelines p join stages s on s.pipeline_id = p.id where p.id = $1",
      [run.id],
    );
    expect(above).toEqual({ run: "approval:job", stage: "approval:job" });
    await run.approve(ben, { job: "ship" });
    await run.runner.run("ship", failedResult);
    await run.runner.run("ship");
    await runIs(bed.db, run.id, "success");
    expect(await run.gates()).toHaveLength(2);
    const history = await bed.db.query(
      "select new_status as became, actor from transitions where pipeline_id = $1 and node = 'job' and old_status = 'awaiting_approval' order by id",
      [run.id],
    );
    expect(history).toEqual([
      { became: "awaiting_approval", actor: ada.username },
      { became: "waiting", actor: ben.username },
    ]);
  });

  it("is one for all combinations of its matrix, which take no place before it", async () => {
    const combinations = ["a", "b", "c"].map((v) => ({ v }));
    const matrix = { combinations, source: null, maxParallel: 1, failFast: false };
    const run = await begin(planOf([planJob({ key: "unit", matrix, approval: rule() })]));
    const states = () =>
      bed.db.query<{ status: string }>(
        "select status from jobs where pipeline_id = $1 order by combination",
        [run.id],
      );
    await eventually(async () => {
      expect(await states()).toEqual(combinations.map(() => ({ status: "awaiting_approval" })));
      return true;
    });
    await run.approve(ada, { job: "unit" });
    for (const _ of combinations) await run.runner.run("unit");
    await runIs(bed.db, run.id, "success");
    expect(await run.gates()).toHaveLength(1);
  });

  it("ends by itself when its time is over, as the file says", async () => {
    const run = await begin(
      planOf([
        planJob({ key: "skipped", approval: rule({ expiresMs: 50, onExpire: "skip" }) }),
        planJob({ key: "failed", approval: rule({ expiresMs: 50 }) }),
        planJob({ key: "after", needs: [{ job: "skipped", optional: true }] }),
      ]),
    );
    await run.runner.run("after");
    await runIs(bed.db, run.id, "failed");
    expect(await run.jobs()).toEqual({
      skipped: "skipped approval_expired",
      failed: "failed approval_rejected",
      after: "success",
    });
    const audited = await bed.db.query(
      "select details ->> 'job' as job from audit_log where action = 'pipeline.approval_expire' and target_id = $1 order by 1",
      [run.id],
    );
    expect(audited).toEqual([{ job: "failed" }, { job: "skipped" }]);
  });
});

it("ends with the run when that is cancelled, also where its job runs always", async () => {
  const always = [{ status: "always" as const, text: "status: always" }];
  const run = await begin(
    planOf([planJob({ key: "a", approval: rule() }), planJob({ key: "b", approval: rule(), when: always })]),
  );
  await run.become({ a: "awaiting_approval approval:job", b: "awaiting_approval approval:job" });
  await cancelRun(bed.db, systemActor, { pipelineId: run.id, name: "test", force: false });
  await runIs(bed.db, run.id, "cancelled");
  expect(await run.jobs()).toEqual({ a: "cancelled user:system", b: "cancelled user:system" });
});

it("asks anew in a rerun", async () => {
  const run = await begin(planOf([planJob({ key: "ship", approval: rule() })]));
  await run.become({ ship: "awaiting_approval approval:job" });
  await run.approve(ada, { job: "ship" });
  await run.runner.run("ship", failedResult);
  await runIs(bed.db, run.id, "failed");
  await rerunRun(bed.db, systemActor, { pipelineId: run.id, name: "test", from: "failed" });
  await run.become({ ship: "awaiting_approval approval:job" });
  await run.approve(ben, { job: "ship" });
  await run.runner.run("ship");
  await runIs(bed.db, run.id, "success");
  expect(await run.gates()).toEqual([
    { place: "ship", state: "approved", sequence: 1 },
    { place: "ship", state: "approved", sequence: 2 },
  ]);
});

it("does not count what a run waits for people towards its time limit and that of its stage", async () => {
  const plan = planOf([
    planJob({ key: "first" }),
    planJob({ key: "ship", needs: [{ job: "first", optional: false }], approval: rule() }),
  ]);
  const timeoutMs = 1_200;
  const run = await begin({
    ...plan,
    timeoutMs,
    stages: plan.stages.map((stage) => ({ ...stage, timeoutMs })),
  });
  await run.runner.run("first");
  await run.become({ ship: "awaiting_approval approval:job" });
  // Longer than the limit, by the clock of the database.
  await eventually(() =>
    bed.db.one(
      "select id from approval_gates where pipeline_id = $1 and opened_at < clock_timestamp() - interval '1.5 seconds'",
      [run.id],
    ),
  );
  await run.approve(ada, { job: "ship" });
  await run.runner.run("ship");
  await runIs(bed.db, run.id, "success");
});

it("survives the loss of its workflow, and signals that come twice or late", async () => {
  const run = await begin(planOf([planJob({ key: "ship", approval: rule() })]));
  await run.become({ ship: "awaiting_approval approval:job" });
  const handle = bed.temporal.client.workflow.getHandle(pipelineWorkflowId(run.id, 1));
  await handle.signal("gateDecided", { stage: "main", job: "ship" });
  await handle.signal("gateDecided", { stage: "main", job: null });
  await handle.terminate("test");
  await run.approve(ada, { job: "ship" });
  const lost = { pipelineId: run.id, sequence: 1, name: "test" };
  await createRunRecovery(bed.db).resume(systemActor, lost);
  await run.runner.run("ship");
  await runIs(bed.db, run.id, "success");
});
