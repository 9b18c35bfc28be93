import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { cancelRun, rerunRun } from "@forgeline/server/domains/pipelines/runs/change-run.ts";
import { eventually } from "../../support/eventually.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import {
  failedResult,
  insertRepository,
  planJob,
  planOf,
  runIs,
  type TestRepository,
} from "../../support/runs.ts";
import { beginRun, inGroup, ship } from "../../support/slot-runs.ts";

let bed: Orchestration;
let repository: TestRepository;
beforeAll(async () => {
  bed = await startOrchestration();
});
afterAll(() => bed.close());

const begin = (plan: Plan) => beginRun(bed.db, repository, plan);

describe("slots", () => {
  beforeAll(async () => {
    repository = await insertRepository(bed.db);
  });

  it("are given to one job after the other, in the order of runs", async () => {
    const plan = ship(inGroup("prod"));
    const runs = [await begin(plan), await begin(plan), await begin(plan)] as const;
    const held = await runs[0].runner.take("ship");
    await runs[1].jobIs("ship", "waiting concurrency:prod");
    await runs[2].jobIs("ship", "waiting concurrency:prod");
    await runs[0].runner.done(held, failedResult);
    await runs[1].runner.run("ship");
    await runs[2].runner.run("ship");
    await runIs(bed.db, runs[2].id, "success");
    expect(await runs[2].slots()).toEqual([]);
  });

  it("are not overtaken by a later run that is ready before", async () => {
    const plan = planOf([
      planJob({ key: "build" }),
      planJob({ key: "ship", needs: [{ job: "build", optional: false }], concurrency: inGroup("order") }),
    ]);
    const first = await begin(plan);
    const second = await begin(plan);
    await second.runner.run("build");
    await second.jobIs("ship", "waiting concurrency:order");
    expect(await first.slots()).toEqual(["job expected"]);
    await first.runner.run("build");
    await first.runner.run("ship");
    await second.runner.run("ship");
    // A run that cannot reach its job any more holds up nobody.
    const third = await begin(plan);
    const fourth = await begin(plan);
    await fourth.runner.run("build");
    await fourth.jobIs("ship", "waiting concurrency:order");
    await third.runner.run("build", failedResult);
    await fourth.runner.run("ship");
  });

  it("go to whoever is ready first, where the file says so", async () => {
    const plan = planOf([
      planJob({ key: "build" }),
      planJob({
        key: "ship",
        needs: [{ job: "build", optional: false }],
        concurrency: inGroup("ready", { order: "ready" }),
      }),
    ]);
    const first = await begin(plan);
    const second = await begin(plan);
    await second.runner.run("build");
    const held = await second.runner.take("ship");
    await first.runner.run("build");
    await first.jobIs("ship", "waiting concurrency:ready");
    await second.runner.done(held);
    await first.runner.run("ship");
  });

  it("are as many as the limit", async () => {
    const plan = ship(inGroup("two", { limit: 2 }));
    const runs = [await begin(plan), await begin(plan), await begin(plan)] as const;
    const held = await runs[0].runner.take("ship");
    await runs[1].runner.take("ship");
    await runs[2].jobIs("ship", "waiting concurrency:two");
    await runs[0].runner.done(held);
    await runs[2].runner.take("ship");
  });

  it("belong to a stage or a run until all of it is over", async () => {
    const plan = planOf(
      [
        planJob({ key: "a", stage: "one" }),
        planJob({ key: "b", stage: "one", concurrency: inGroup("stage") }),
        planJob({ key: "c", stage: "two" }),
      ],
      { concurrency: inGroup("run") },
    );
    for (const stage of plan.stages) if (stage.name === "one") stage.concurrency = inGroup("stage");
    const first = await begin(plan);
    const second = await begin(plan);
    await first.runner.run("a");
    // The job's own group is that of its stage: it needs no second slot.
    const held = await first.runner.take("b");
    await eventually(async () =>
      (await first.slots()).join() === "pipeline held,stage held" ? true : undefined,
    );
    await second.jobIs("a", "waiting concurrency:run");
    await first.runner.done(held);
    await eventually(async () => ((await first.slots()).join() === "pipeline held" ? true : undefined));
    expect(await second.job("a")).toBe("waiting concurrency:run");
    await first.runner.run("c");
    await second.runner.run("a");
    await second.runner.run("b");
    await second.runner.run("c");
    await runIs(bed.db, second.id, "success");
  });

  it("are kept between the attempts of a job", async () => {
    const retry = { max: 1, on: ["any"], delayMs: 50, factor: 1, maxDelayMs: 50 };
    const first = await begin(ship(inGroup("retry"), { retry }));
    const second = await begin(ship(inGroup("retry")));
    await first.runner.run("ship", failedResult);
    const held = await first.runner.take("ship");
    expect(held.attempt).toBe(2);
    await second.jobIs("ship", "waiting concurrency:retry");
    await first.runner.done(held);
    await second.runner.run("ship");
  });

  it("cancel what waits in favour of the newest", async () => {
    const plan = ship(inGroup("newest", { waiting: "newest" }));
    const first = await begin(plan);
    const held = await first.runner.take("ship");
    const runs = [first, await begin(plan), await begin(plan)] as const;
    await runs[1].jobIs("ship", `cancelled superseded:#${runs[2].number}`);
    await runIs(bed.db, runs[1].id, "cancelled");
    await runs[2].jobIs("ship", "waiting concurrency:newest");
    await runs[0].runner.done(held);
    await runs[2].runner.run("ship");
  });

  it("cancel the holder too", async () => {
    const plan = planOf([planJob({ key: "ship" }), planJob({ key: "more" })], {
      concurrency: inGroup("branch", { waiting: "newest", cancelRunning: true }),
    });
    const first = await begin(plan);
    const held = await first.runner.take("ship");
    await first.runner.start(held);
    const second = await begin(plan);
    await eventually(async () => ((await first.job("ship")).startsWith("cancelling") ? true : undefined));
    expect(await second.job("ship")).toBe("waiting concurrency:branch");
    await first.runner.done(held, { status: "cancelled", reason: `superseded:#${second.number}` });
    await runIs(bed.db, first.id, "cancelled");
    const run = await bed.db.one<{ reason: string }>("select reason from pipelines where id = $1", [
      first.id,
    ]);
    expect(run?.reason).toBe(`superseded:#${second.number}`);
    await second.runner.run("ship");
    await second.runner.run("more");
    await runIs(bed.db, second.id, "success");
  });

  it("are free again when a run is cancelled, waiting or holding", async () => {
    const plan = ship(inGroup("cancel"));
    const runs = [await begin(plan), await begin(plan), await begin(plan)] as const;
    const held = await runs[0].runner.take("ship");
    for (const run of [runs[1], runs[2]]) await run.jobIs("ship", "waiting concurrency:cancel");
    await cancelRun(bed.db, systemActor, { pipelineId: runs[1].id, name: "x", force: false });
    await runIs(bed.db, runs[1].id, "cancelled");
    await cancelRun(bed.db, systemActor, { pipelineId: runs[0].id, name: "x", force: true });
    await runs[0].jobIs("ship", "cancelling user:system");
    expect(await runs[2].job("ship")).toBe("waiting concurrency:cancel");
    await runs[0].runner.done(held, { status: "cancelled" });
    await runs[2].runner.run("ship");
  });

  it("are asked for again by a rerun", async () => {
    const plan = ship(inGroup("again"));
    const first = await begin(plan);
    await first.runner.run("ship", failedResult);
    await runIs(bed.db, first.id, "failed");
    const second = await begin(plan);
    const held = await second.runner.take("ship");
    await rerunRun(bed.db, systemActor, { pipelineId: first.id, name: "x", from: "failed" });
    await first.jobIs("ship", "waiting concurrency:again");
    await second.runner.done(held);
    await first.runner.run("ship");
    await runIs(bed.db, first.id, "success");
  });

  it("of groups whose name cannot be evaluated, or of an organization that there is not, end the job", async () => {
    const broken = await begin(ship(inGroup("${{ vars.missing }}")));
    await broken.jobIs("ship", "error config");
    const shared = await begin(ship(inGroup("all", { scope: "org" })));
    await shared.jobIs("ship", "error config");
  });

  it("leave nothing behind", async () => {
    await eventually(async () => {
      const left = await bed.db.one<{ count: number }>(
        `select count(*)::int as count from concurrency_slots s join pipelines p on p.id = s.pipeline_id
         where p.finished_at is not null`,
      );
      return left?.count === 0 ? true : undefined;
    });
  });
});
