/**
 * Approvals and concurrency groups together: people who have not decided hold nothing and hold up nobody; and what a run that waited for
 * either finds deployed meanwhile.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "@forgeline/server/platform/access/actor.ts";
import { rerunRun } from "@forgeline/server/domains/pipelines/runs/change-run.ts";
import { listDeployments } from "@forgeline/server/domains/pipelines/environments/deployments.store.ts";
import { findEnvironment } from "@forgeline/server/domains/pipelines/environments/environments.store.ts";
import { approvalRule, decideAt, insertPerson } from "../../support/approvals.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import { insertRepository, planJob, planOf, runIs, type TestRepository } from "../../support/runs.ts";
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

it("a run that people let through late waits for the newer one that holds the slot, and does not cancel it", async () => {
  const concurrency = inGroup("late", { waiting: "newest", cancelRunning: true });
  const first = await beginRun(
    bed.db,
    repository,
    planOf([planJob({ key: "ship", approval: approvalRule(), concurrency })]),
  );
  await first.jobIs("ship", "awaiting_approval approval:job");
  const second = await beginRun(bed.db, repository, planOf([planJob({ key: "ship", concurrency })]));
  const held = await second.runner.take("ship");
  await decideAt(bed.db, ada, { pipelineId: first.id, job: "ship", decision: "approve" });
  await first.jobIs("ship", "waiting concurrency:late");
  await second.runner.done(held);
  await first.runner.run("ship");
  await runIs(bed.db, second.id, "success");
});

describe("a run that a newer one has overtaken", () => {
  const deploys = (environment: string, more = {}) =>
    planOf([planJob({ key: "ship", environment: { name: environment, url: null }, ...more })]);
  const begin = (plan: ReturnType<typeof deploys>, sha: string) =>
    beginRun(bed.db, repository, plan, { sha: sha.repeat(40) });
  const approved = (pipelineId: string) =>
    decideAt(bed.db, ada, { pipelineId, job: "ship", decision: "approve" });
  const refusing = (name: string, count: number) =>
    bed.db.query(
      "insert into environments (id, repository_id, name, approval_count, refuse_older) values ($1, $2, $3, $4, true)",
      [`env_${name}`, repository.id, name, count],
    );
  const newer = (number: number, environment: string, refused: boolean) => ({
    environment,
    pipeline: { number },
    sha: "b".repeat(40),
    refused,
  });

  it("is refused by an environment that refuses what is older, unless somebody runs it again", async () => {
    await refusing("strict", 1);
    const old = await begin(deploys("Strict"), "a");
    await old.jobIs("ship", "awaiting_approval approval:environment");
    const next = await begin(deploys("strict"), "b");
    await approved(next.id);
    await next.runner.run("ship");
    await runIs(bed.db, next.id, "success");
    expect(await approved(old.id)).toMatchObject({ newer: newer(next.number, "strict", true) });
    await old.jobIs("ship", "failed environment_older:strict");
    const row = await bed.db.one("select message from jobs where pipeline_id = $1", [old.id]);
    expect(row).toMatchObject({
      message: expect.stringMatching(
        `The newer run #${next.number} deployed commit bbbbbbbb to strict on .* UTC`,
      ) as string,
    });
    await runIs(bed.db, old.id, "failed");
    await rerunRun(bed.db, ada, { pipelineId: old.id, name: "ada/demo#1", from: "failed" });
    expect(await approved(old.id)).toMatchObject({ state: "approved", newer: null });
    await old.runner.run("ship");
    await runIs(bed.db, old.id, "success");
  });

  it("is among what waits to deploy, and who approved what is there is told", async () => {
    await bed.db.query(
      "insert into environments (id, repository_id, name, approval_count) values ('env_told', $1, 'Told', 1)",
      [repository.id],
    );
    const told = async () => findEnvironment(bed.db, repository.id, "told");
    const first = await begin(deploys("told"), "a");
    await approved(first.id);
    await first.runner.run("ship");
    await runIs(bed.db, first.id, "success");
    const group = { concurrency: inGroup("told") };
    const second = await begin(deploys("told", group), "b");
    await approved(second.id);
    const held = await second.runner.take("ship");
    const third = await begin(deploys("told", group), "c");
    await approved(third.id);
    await third.jobIs("ship", "waiting concurrency:told");
    const fourth = await begin(deploys("told"), "d");
    await fourth.jobIs("ship", "awaiting_approval approval:environment");
    expect((await told())?.waiting).toMatchObject([
      { number: fourth.number, key: "ship", reason: "approval:environment", actor: repository.owner },
      { number: third.number, reason: "concurrency:told" },
    ]);
    await second.runner.done(held);
    await runIs(bed.db, second.id, "success");
    expect((await told())?.current).toMatchObject({
      number: second.number,
      actor: repository.owner,
      approved_by: [ada.username],
      before: { number: first.number, sha: "a".repeat(40) },
    });
    const { rows } = await listDeployments(bed.db, "env_told", { page: 1, per_page: 10 });
    expect(rows.map(({ approved_by: by }) => by)).toContainEqual([ada.username]);
  });

  it("is refused too when it was approved and waited for its turn", async () => {
    await refusing("turn", 0);
    const holder = await begin(deploys("elsewhere", { concurrency: inGroup("turn") }), "a");
    const held = await holder.runner.take("ship");
    const old = await begin(deploys("turn", { concurrency: inGroup("turn") }), "a");
    await old.jobIs("ship", "waiting concurrency:turn");
    const next = await begin(deploys("turn"), "b");
    await next.runner.run("ship");
    await runIs(bed.db, next.id, "success");
    await holder.runner.done(held);
    await old.jobIs("ship", "failed environment_older:turn");
  });

  it("deploys elsewhere, but whoever approves is warned, also at a gate of the file", async () => {
    const old = await begin(deploys("loose", { approval: approvalRule() }), "a");
    await old.jobIs("ship", "awaiting_approval approval:job");
    const next = await begin(deploys("loose"), "b");
    await next.runner.run("ship");
    await runIs(bed.db, next.id, "success");
    expect(await approved(old.id)).toMatchObject({ newer: newer(next.number, "loose", false) });
    await old.runner.run("ship");
    await runIs(bed.db, old.id, "success");
  });
});
