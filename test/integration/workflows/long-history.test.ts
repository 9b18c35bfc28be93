/** A run whose history has grown too long goes on in a new one, and knows everything it knew. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { pipelineWorkflowId } from "@forgeline/schemas/pipelines/workflow.ts";
import { eventually } from "../../support/eventually.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import {
  handRunner,
  insertRepository,
  insertRun,
  jobsOf,
  planJob,
  planOf,
  runIs,
} from "../../support/runs.ts";

let bed: Orchestration;
beforeAll(async () => {
  bed = await startOrchestration({ graceMs: 100, marginMs: 100, alwaysMs: 1_000 });
});
afterAll(() => bed.close());

/**
 * Facts of a job that the run does not have, until the run goes on in a new history. Temporal suggests one with the
 * first task that begins with 4 MiB before it; signals that arrive together share a task, so their number varies.
 */
async function outgrowHistory(workflowId: string): Promise<string> {
  const { workflow } = bed.temporal.client;
  const runIdNow = async () => (await workflow.getHandle(workflowId).describe()).runId;
  const first = await runIdNow();
  const fact = { jobId: "job_other", attempt: 1, reason: "x".repeat(1_000_000) };
  await eventually(
    async () => {
      await workflow.getHandle(workflowId).signal("attemptFacts", [fact]);
      return (await runIdNow()) !== first;
    },
    { intervalMs: 200, timeoutMs: 40_000 },
  );
  return first;
}

it("goes on in a new history: what ran is known, what comes later follows, limits still count", async () => {
  const repository = await insertRepository(bed.db);
  const { id } = await insertRun(
    bed.db,
    repository,
    planOf([
      planJob({ key: "compile", stage: "build" }),
      planJob({ key: "unit", stage: "test" }),
      planJob({ key: "slow", stage: "deploy", timeoutMs: 300 }),
    ]),
  );
  const runner = handRunner(bed.db, id);
  await runner.run("compile");
  const held = await runner.take("unit");
  await runner.start(held);
  await eventually(async () => (await jobsOf(bed.db, id))["unit"] === "running");

  const workflowId = pipelineWorkflowId(id, 1);
  const { workflow } = bed.temporal.client;
  const first = await outgrowHistory(workflowId);
  expect((await workflow.getHandle(workflowId, first).describe()).status.name).toBe("CONTINUED_AS_NEW");

  await runner.done(held);
  await runner.start(await runner.take("slow"));
  await runIs(bed.db, id, "failed");
  expect(await jobsOf(bed.db, id)).toEqual({
    compile: "success",
    unit: "success",
    slow: expect.stringContaining("failed"),
  });
  expect((await workflow.getHandle(workflowId).describe()).historyLength).toBeLessThan(40);
});
