import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import { pino } from "pino";
import { Registry } from "prom-client";
import { createSlotRecovery } from "@forgeline/server/domains/pipelines/concurrency/recovery.ts";
import { createRunRecovery } from "@forgeline/server/domains/pipelines/runs/recover-run.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { eventually } from "../../support/eventually.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import { insertRepository, planJob, planOf, runIs, type TestRepository } from "../../support/runs.ts";
import { beginRun, inGroup, ship } from "../../support/slot-runs.ts";

let bed: Orchestration;
let repository: TestRepository;
beforeAll(async () => {
  bed = await startOrchestration();
});
afterAll(() => bed.close());

const begin = (plan: Plan) => beginRun(bed.db, repository, plan);
const recovery = () =>
  createSlotRecovery({ db: bed.db, logger: pino({ level: "silent" }), metrics: new Registry() });

describe("slots that nobody would give back", () => {
  beforeAll(async () => {
    repository = await insertRepository(bed.db);
  });

  it("that would be waited for in a circle are refused", async () => {
    const holds = (outer: string, inner: string) =>
      planOf(
        [
          planJob({ key: "a" }),
          planJob({
            key: "b",
            needs: [{ job: "a", optional: false }],
            concurrency: inGroup(inner, { order: "ready" }),
          }),
        ],
        { concurrency: inGroup(outer, { order: "ready" }) },
      );
    const first = await begin(holds("left", "right"));
    const second = await begin(holds("right", "left"));
    await first.runner.run("a");
    await second.runner.run("a");
    const ends = async () => [await first.job("b"), await second.job("b")];
    await eventually(async () => ((await ends()).includes("error concurrency_deadlock") ? true : undefined));
    const other = (await first.job("b")).startsWith("error") ? second : first;
    await other.runner.run("b");
    await runIs(bed.db, other.id, "success");
  });

  it("that were left over, or not given to their queue, are found", async () => {
    const first = await begin(ship(inGroup("found")));
    const held = await first.runner.take("ship");
    const second = await begin(ship(inGroup("found")));
    await second.jobIs("ship", "waiting concurrency:found");
    const { recover } = recovery();
    expect(await recover()).toBe(0);
    await bed.db.query("delete from concurrency_slots where pipeline_id = $1", [first.id]);
    expect(await recover()).toBe(1);
    await second.runner.run("ship");
    await first.runner.done(held);
    await runIs(bed.db, first.id, "success");
  });

  it("leave the organization with their repository, and are refused where groups are not shared", async () => {
    const place = await insertRepository(bed.db);
    const give = (name: string, shares: boolean) =>
      bed.db.query(
        `with o as (insert into owners (id, name, kind) values ($1, $1, 'org')), g as (
           insert into organizations (id, shared_concurrency) values ($1, $3)) update repositories set owner_id = $1 where id = $2`,
        [name, place.id, shares],
      );
    await give("org_sharing", true);
    const beginThere = (key: string) =>
      beginRun(bed.db, place, planOf([planJob({ key, concurrency: inGroup("all", { scope: "org" }) })]));
    const first = await beginThere("a");
    const held = await first.runner.take("a");
    const second = await beginThere("b");
    await second.jobIs("b", "waiting concurrency:all");
    await give("org_apart", false);
    // As after a transfer that did not see what was asked for meanwhile.
    expect(await recovery().recover()).toBe(1);
    await second.jobIs("b", "error config");
    expect(await first.slots()).toEqual(["job held"]);
    await first.runner.done(held);
    await runIs(bed.db, first.id, "success");
  });

  it("stay held when the workflow is lost, and are given back when an administrator ends the run", async () => {
    const first = await begin(ship(inGroup("lost")));
    await first.runner.take("ship");
    const second = await begin(ship(inGroup("lost")));
    await second.jobIs("ship", "waiting concurrency:lost");
    await createRunRecovery(bed.db).end(
      systemActor,
      { pipelineId: first.id, sequence: 1, name: "x" },
      { requestId: "req", workflow: () => Promise.resolve() },
    );
    await second.runner.run("ship");
  });

  it("are for each combination of a matrix", async () => {
    const matrix = {
      combinations: [{ db: "a" }, { db: "b" }, { db: "c" }],
      source: null,
      maxParallel: 2,
      failFast: false,
    };
    const concurrency = inGroup("matrix-${{ matrix.db == 'c' }}");
    const run = await begin(planOf([planJob({ key: "unit", matrix, concurrency })]));
    const one = await run.runner.take("unit");
    const other = await run.runner.take("unit");
    await run.runner.done(one);
    await run.runner.run("unit");
    await run.runner.done(other);
    await runIs(bed.db, run.id, "success");
  });
});
