/** Approvals and concurrency groups together: people who have not decided hold nothing and hold up nobody. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Actor } from "@forgeline/server/platform/access/actor.ts";
import { approvalRule, decideAt, insertPerson } from "../../support/approvals.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import { insertRepository, planJob, planOf, type TestRepository } from "../../support/runs.ts";
import { beginRun, inGroup } from "../../support/slot-runs.ts";

let bed: Orchestration;
let repository: TestRepository;
let ada: Actor;
beforeAll(async () => {
  bed = await startOrchestration();
  repository = await insertRepository(bed.db);
  ada = await insertPerson(bed.db, repository, "write");
});
afterAll(() => bed.close());

const plan = planOf([
  planJob({ key: "build" }),
  planJob({ key: "ask", approval: approvalRule() }),
  planJob({
    key: "ship",
    needs: ["build", "ask"].map((job) => ({ job, optional: false })),
    concurrency: inGroup("prod"),
  }),
]);

const approve = (pipelineId: string) =>
  decideAt(bed.db, ada, { pipelineId, job: "ask", decision: "approve" });

it("a run behind a closed gate is passed by; once its gate is open, later ones wait for it", async () => {
  const first = await beginRun(bed.db, repository, plan);
  const second = await beginRun(bed.db, repository, plan);
  const third = await beginRun(bed.db, repository, plan);
  await first.jobIs("ask", "awaiting_approval approval:job");
  for (const run of [second, third]) await run.jobIs("ask", "awaiting_approval approval:job");
  await approve(second.id);
  await second.runner.run("ask");
  await second.runner.run("build");
  const held = await second.runner.take("ship");
  await approve(first.id);
  await first.runner.take("ask");
  await approve(third.id);
  await third.runner.run("ask");
  await third.runner.run("build");
  await third.jobIs("ship", "waiting concurrency:prod");
  await second.runner.done(held);
  expect(await third.slots()).toEqual(["job waiting"]);
  await first.runner.run("build");
  expect(await first.slots()).toEqual(["job expected"]);
});

it("waiting for people takes no slot, and the slot is asked for after them", async () => {
  const gated = planOf([planJob({ key: "ship", approval: approvalRule(), concurrency: inGroup("later") })]);
  const free = planOf([planJob({ key: "ship", concurrency: inGroup("later") })]);
  const first = await beginRun(bed.db, repository, gated);
  const second = await beginRun(bed.db, repository, free);
  await first.jobIs("ship", "awaiting_approval approval:job");
  const held = await second.runner.take("ship");
  await decideAt(bed.db, ada, { pipelineId: first.id, job: "ship", decision: "approve" });
  await first.jobIs("ship", "waiting concurrency:later");
  await second.runner.done(held);
  await first.runner.run("ship");
});
