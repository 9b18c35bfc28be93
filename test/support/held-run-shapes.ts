/** Runs that people, groups, environments or other runs hold up, and one whose runner was given up. Part of `run-shapes.ts`. */
import {
  recordAttemptFollowing,
  recordAttemptReclaimed,
  recordAttemptUnplaced,
} from "@forgeline/server/domains/pipelines/runs/attempt-facts.ts";
import { leaveOldOwner } from "@forgeline/server/domains/pipelines/concurrency/leave-owner.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { approvalRule, decideAt, insertPerson } from "./approvals.ts";
import { eventually } from "./eventually.ts";
import { insertRepository, planJob, planOf, runIs, type TestRepository } from "./runs.ts";
import { beginRun, inGroup, ship } from "./slot-runs.ts";
import type { TextDatabase } from "./text-database.ts";

/** `ownerUrl` is for those that break the database for a while. */
export type Shape = (
  db: TextDatabase,
  repository: TestRepository,
  ownerUrl: string,
) => Promise<{ id: string; sequences: number }>;

/** `ship` behind the gate of its stage and its own, after `build`. */
const gated = (more = {}) => {
  const approval = approvalRule(more);
  const plan = planOf([
    planJob({ key: "build", stage: "build" }),
    planJob({ key: "ship", stage: "deploy", approval }),
  ]);
  return { ...plan, stages: plan.stages.map((s) => (s.name === "deploy" ? { ...s, approval } : s)) };
};

export const heldShapes: Record<string, Shape> = {
  async approved(db, repository) {
    const ada = await insertPerson(db, repository, "write");
    const run = await beginRun(db, repository, gated());
    await run.runner.run("build");
    await run.jobIs("ship", "awaiting_approval approval:stage");
    await decideAt(db, ada, { pipelineId: run.id, stage: "deploy", decision: "approve" });
    await run.jobIs("ship", "awaiting_approval approval:job");
    await decideAt(db, ada, { pipelineId: run.id, job: "ship", decision: "approve" });
    await run.runner.run("ship");
    await runIs(db, run.id, "success");
    return { id: run.id, sequences: 1 };
  },
  async rejected(db, repository) {
    const ada = await insertPerson(db, repository, "write");
    const run = await beginRun(db, repository, gated());
    await run.runner.run("build");
    await run.jobIs("ship", "awaiting_approval approval:stage");
    await decideAt(db, ada, { pipelineId: run.id, stage: "deploy", decision: "reject" });
    await runIs(db, run.id, "failed");
    return { id: run.id, sequences: 1 };
  },
  async "approval-expired"(db, repository) {
    const run = await beginRun(db, repository, gated({ expiresMs: 1_000, onExpire: "skip" }));
    await run.runner.run("build");
    await runIs(db, run.id, "success");
    return { id: run.id, sequences: 1 };
  },
  /** The second of two: its jobs wait for the slots of a run, and of a job. */
  async slots(db, repository) {
    const plan = planOf([planJob({ key: "ship", concurrency: inGroup("shape-job", { order: "ready" }) })], {
      concurrency: inGroup("shape-run"),
    });
    const first = await beginRun(db, repository, plan);
    const held = await first.runner.take("ship");
    const second = await beginRun(db, repository, plan);
    await second.jobIs("ship", "waiting concurrency:shape-run");
    await first.runner.done(held);
    await second.runner.run("ship");
    await runIs(db, second.id, "success");
    return { id: second.id, sequences: 1 };
  },
  async "slot-superseded"(db, repository) {
    const plan = ship(inGroup("shape-newest", { waiting: "newest" }));
    const first = await beginRun(db, repository, plan);
    await first.runner.take("ship");
    const second = await beginRun(db, repository, plan);
    await second.jobIs("ship", "waiting concurrency:shape-newest");
    await beginRun(db, repository, plan);
    await runIs(db, second.id, "cancelled");
    return { id: second.id, sequences: 1 };
  },
  /** The first of two holds the slot, and has to give way to the second. */
  async "slot-outrun"(db, repository) {
    const plan = ship(inGroup("shape-outrun", { cancelRunning: true }));
    const first = await beginRun(db, repository, plan);
    const held = await first.runner.take("ship");
    await first.runner.start(held);
    await first.jobIs("ship", "running");
    const second = await beginRun(db, repository, plan);
    await eventually(async () => (await first.job("ship")).startsWith("cancelling"));
    await first.runner.done(held, { status: "cancelled", reason: `superseded:#${second.number}` });
    await runIs(db, first.id, "cancelled");
    return { id: first.id, sequences: 1 };
  },
  /** The second of two waits in a group that its repository leaves for an owner without groups. */
  async "slot-left"(db) {
    const place = await insertRepository(db);
    const organization = newId("org");
    await db.query("insert into owners (id, name, kind) values ($1, $1, 'org')", [organization]);
    await db.query("insert into organizations (id, shared_concurrency) values ($1, true)", [organization]);
    const give = (owner: string) =>
      db.query("update repositories set owner_id = $2 where id = $1", [place.id, owner]);
    await give(organization);
    const plan = ship(inGroup("shape-left", { scope: "org" }));
    const first = await beginRun(db, place, plan);
    await first.runner.take("ship");
    const second = await beginRun(db, place, plan);
    await second.jobIs("ship", "waiting concurrency:shape-left");
    await give(place.userId);
    await db.transaction((tx) => leaveOldOwner(tx, place.id));
    await runIs(db, second.id, "error");
    return { id: second.id, sequences: 1 };
  },
  /** Somebody has to approve, and then some time has to pass. */
  async "environment-wait"(db, repository) {
    const ada = await insertPerson(db, repository, "write");
    await db.query(
      "insert into environments (id, repository_id, name, approval_count, wait_minutes) values ($1, $2, 'shape', 1, 1)",
      [newId("env"), repository.id],
    );
    const deploy = planJob({ key: "ship", environment: { name: "shape", url: null } });
    const run = await beginRun(db, repository, planOf([deploy]));
    await eventually(async () => (await run.job("ship")).startsWith("awaiting_approval"));
    await db.query(
      "update approval_gates set wait_until = now() + interval '3 seconds' where pipeline_id = $1",
      [run.id],
    );
    await decideAt(db, ada, { pipelineId: run.id, job: "ship", environment: "shape", decision: "approve" });
    await run.runner.run("ship");
    await runIs(db, run.id, "success");
    return { id: run.id, sequences: 1 };
  },
  /** A job that starts another pipeline is delegated; what the other run tells of itself comes as that of a runner does. */
  async child(db, repository) {
    const trigger = {
      repository: null,
      pipeline: "other",
      ref: null,
      inputs: {},
      wait: true,
      outputs: ["version"],
    };
    const plan = planOf([
      planJob({ key: "start", steps: [], trigger }),
      planJob({ key: "after", needs: [{ job: "start", optional: false }] }),
    ]);
    const run = await beginRun(db, repository, plan);
    const attempt = await eventually(() =>
      db.one<{ id: string; epoch: number; attempt: number }>(
        "select id, epoch, attempt from job_attempts where pipeline_id = $1 and state = 'delegated'",
        [run.id],
      ),
    );
    await db.transaction((tx) => recordAttemptFollowing(tx, attempt.id));
    await run.runner.done({ attemptId: attempt.id, ...attempt }, { outputs: { version: "1" } });
    await run.runner.run("after");
    await runIs(db, run.id, "success");
    return { id: run.id, sequences: 1 };
  },
  /** Of the jobs of a stage that share a workspace, one works, and the next one finds that the workspace is gone. */
  async together(db, repository) {
    const sharing = (key: string, needs: string[]) =>
      planJob({ key, workspace: "stage", needs: needs.map((job) => ({ job, optional: false })) });
    const plan = planOf([sharing("build", []), sharing("test", ["build"])]);
    const stages = plan.stages.map((stage) => ({ ...stage, placement: "together" as const }));
    const run = await beginRun(db, repository, { ...plan, stages });
    await run.runner.run("build");
    const queued = await eventually(() =>
      db.one<{ id: string }>("select id from job_attempts where pipeline_id = $1 and state = 'queued'", [
        run.id,
      ]),
    );
    await db.query("update job_attempts set begun = true where pipeline_id = $1 and id <> $2", [
      run.id,
      queued.id,
    ]);
    await db.query("update placements set state = 'over', lost = true where pipeline_id = $1", [run.id]);
    await db.transaction((tx) => recordAttemptUnplaced(tx, queued.id));
    await runIs(db, run.id, "error");
    return { id: run.id, sequences: 1 };
  },
  async "declared-lost"(db, repository) {
    const run = await beginRun(db, repository, planOf([planJob({ key: "ship", rerunIfLost: false })]));
    const held = await run.runner.take("ship");
    await run.runner.start(held);
    await db.query("update job_attempts set begun = true where id = $1", [held.attemptId]);
    await run.jobIs("ship", "running");
    await db.transaction((tx) =>
      recordAttemptReclaimed(tx, { attemptId: held.attemptId, declaredBy: repository.owner }),
    );
    await run.jobIs("ship", "error runner_lost");
    await runIs(db, run.id, "error");
    return { id: run.id, sequences: 1 };
  },
};
