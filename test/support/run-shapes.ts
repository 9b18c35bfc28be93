/** Runs of several shapes, each driven to its end: histories are recorded from them (`scripts/record-history.ts`). */
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { cancelRun, rerunRun } from "@forgeline/server/domains/pipelines/runs/change-run.ts";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import { eventually } from "./eventually.ts";
import { heldShapes, type Shape } from "./held-run-shapes.ts";
import { refuseAttempts } from "./refused-attempts.ts";
import {
  failedResult,
  handRunner,
  insertRun,
  jobsOf,
  planJob,
  planOf,
  runIs,
  type TestRepository,
} from "./runs.ts";
import type { TextDatabase } from "./text-database.ts";

const begin = async (db: TextDatabase, repository: TestRepository, plan: Plan) => {
  const { id } = await insertRun(db, repository, plan);
  return { id, runner: handRunner(db, id) };
};
const stages = (more: Partial<Parameters<typeof planJob>[0]> = {}) =>
  planOf(["build", "test", "deploy"].map((stage) => planJob({ key: `in-${stage}`, stage, ...more })));

/** Learns its combinations from `list`, runs one after the other, and ends with the first failure. */
const listed = planJob({
  key: "each",
  needs: [{ job: "list", optional: false }],
  matrix: {
    combinations: null,
    source: {
      values: [{ name: "v", list: "${{ fromJson(needs.list.outputs.values) }}" }],
      include: [],
      exclude: [],
    },
    maxParallel: 1,
    failFast: true,
  },
});

export const runShapes: Record<string, Shape> = {
  ...heldShapes,
  async success(db, repository) {
    const { id, runner } = await begin(db, repository, stages());
    for (const stage of ["build", "test", "deploy"]) await runner.run(`in-${stage}`);
    await runIs(db, id, "success");
    return { id, sequences: 1 };
  },
  async "failure-and-retry"(db, repository) {
    const retry = { max: 1, on: ["script"], delayMs: 50, factor: 2, maxDelayMs: 100 };
    const { id, runner } = await begin(db, repository, stages({ retry }));
    await runner.run("in-build", failedResult);
    await runner.run("in-build");
    await runner.run("in-test", failedResult);
    await runner.run("in-test", failedResult);
    await runIs(db, id, "failed");
    return { id, sequences: 1 };
  },
  async "tried-again"(db, repository, ownerUrl) {
    const refusal = await refuseAttempts(ownerUrl, repository.id, "55P03");
    const { id, runner } = await begin(db, repository, planOf([planJob({ key: "work" })]));
    // Of these, the last waited for a timer.
    await eventually(async () => (await refusal.tries()) > 5);
    await refusal.lift();
    await runner.run("work");
    await runIs(db, id, "success");
    return { id, sequences: 1 };
  },
  async cancel(db, repository) {
    const { id, runner } = await begin(db, repository, stages());
    const held = await runner.take("in-build");
    await runner.start(held);
    await eventually(async () => (await jobsOf(db, id))["in-build"] === "running");
    await cancelRun(db, systemActor, { pipelineId: id, name: "shape", force: false });
    await eventually(async () => (await jobsOf(db, id))["in-build"]?.startsWith("cancelling"));
    await runner.done(held, { status: "cancelled", reason: "user:system" });
    await runIs(db, id, "cancelled");
    return { id, sequences: 1 };
  },
  async timeout(db, repository) {
    const { id, runner } = await begin(db, repository, stages({ timeoutMs: 100, queueTimeoutMs: 60_000 }));
    const held = await runner.take("in-build");
    await runner.start(held);
    await runIs(db, id, "failed");
    return { id, sequences: 1 };
  },
  async rerun(db, repository) {
    const { id, runner } = await begin(db, repository, stages());
    await runner.run("in-build");
    await runner.run("in-test", failedResult);
    await runIs(db, id, "failed");
    await rerunRun(db, systemActor, { pipelineId: id, name: "shape", from: "failed" });
    await runner.run("in-test");
    await runner.run("in-deploy");
    await runIs(db, id, "success");
    return { id, sequences: 2 };
  },
  async reclaimed(db, repository) {
    const { id, runner } = await begin(db, repository, stages());
    const held = await runner.take("in-build");
    await runner.start(held);
    await runner.reclaim(held);
    for (const stage of ["build", "test", "deploy"]) await runner.run(`in-${stage}`);
    await runIs(db, id, "success");
    return { id, sequences: 1 };
  },
  async matrix(db, repository) {
    const { id, runner } = await begin(db, repository, planOf([planJob({ key: "list" }), listed]));
    const outputs = (values: string[]) => ({ outputs: { values: JSON.stringify(values) } });
    await runner.run("list", outputs(["a", "b", "c"]));
    await runner.run("each");
    await runner.run("each", failedResult);
    await runIs(db, id, "failed");
    await rerunRun(db, systemActor, { pipelineId: id, name: "shape", from: "all" });
    await runner.run("list", outputs(["c", "d"]));
    for (let i = 0; i < 2; i += 1) await runner.run("each");
    await runIs(db, id, "success");
    return { id, sequences: 2 };
  },
};
