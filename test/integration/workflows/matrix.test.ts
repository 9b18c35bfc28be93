import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Plan, PlanMatrix } from "@forgeline/schemas/pipeline-file/plan.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { cancelRun, rerunRun } from "@forgeline/server/domains/pipelines/runs/change-run.ts";
import { eventually } from "../../support/eventually.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import {
  failedResult,
  handRunner,
  insertRepository,
  insertRun,
  planJob,
  planOf,
  runIs,
  type TestRepository,
} from "../../support/runs.ts";

let bed: Orchestration;
let repository: TestRepository;
beforeAll(async () => {
  bed = await startOrchestration();
  repository = await insertRepository(bed.db);
});
afterAll(() => bed.close());

async function begin(plan: Plan) {
  const { id } = await insertRun(bed.db, repository, plan);
  /** `key values: status reason` of all jobs, in their order. */
  const jobs = async () => {
    const rows = await bed.db.query<
      Record<"key" | "status", string> & Record<"values" | "reason", string | null>
    >(
      `select key, status, reason, (select string_agg(value, ' ') from json_each_text(matrix)) as values
       from jobs where pipeline_id = $1 order by position, combination`,
      [id],
    );
    return rows.map(({ key, values, status, reason }) =>
      [`${key}${values === null ? "" : ` ${values}`}:`, status, reason]
        .filter((part) => part !== null)
        .join(" "),
    );
  };
  return { id, runner: handRunner(bed.db, id), jobs };
}
const byText = (a: string, b: string) => a.localeCompare(b);
const rerun = (pipelineId: string, from: string) =>
  rerunRun(bed.db, systemActor, { pipelineId, name: "test", from });

const fixed = (combinations: Record<string, string>[], more: Partial<PlanMatrix> = {}): PlanMatrix => ({
  combinations,
  source: null,
  maxParallel: null,
  failFast: false,
  ...more,
});
const fromList: PlanMatrix = {
  combinations: null,
  source: {
    values: [{ name: "v", list: "${{ fromJson(needs.list.outputs.values) }}" }],
    include: [],
    exclude: [],
  },
  maxParallel: null,
  failFast: false,
};
const need = (job: string, matrix?: Record<string, string>) => ({
  job,
  optional: false,
  ...(matrix ? { matrix } : {}),
});
const nodes = [{ node: "20" }, { node: "22" }, { node: "24" }];
/** `list` finds out what `unit` runs with, and `after` reads all of it. */
const listed = planOf([
  planJob({ key: "list" }),
  planJob({ key: "unit", needs: [need("list")], matrix: fromList, env: { V: "${{ matrix.v }}" } }),
  planJob({ key: "after", needs: [need("unit")], env: { ALL: "${{ join(needs.unit.outputs.o, '+') }}" } }),
]);
const outputs = (values: unknown) => ({ outputs: { values: JSON.stringify(values) } });

describe("a matrix of the file", () => {
  it("is a job for each combination; what needs it waits for those that it names", async () => {
    const run = await begin(
      planOf([
        planJob({ key: "unit", matrix: fixed(nodes), name: "on ${{ matrix.node }}" }),
        planJob({ key: "all", needs: [need("unit")] }),
        planJob({ key: "new", needs: [need("unit", { node: "24" })] }),
      ]),
    );
    const first = await run.runner.take("unit");
    const second = await run.runner.take("unit");
    const third = await run.runner.take("unit");
    for (const held of [first, second, third]) await run.runner.start(held);
    const of = async (held: { attemptId: string }) =>
      bed.db.one<{ id: string; node: string; name: string }>(
        "select id, matrix ->> 'node' as node, name from jobs where id = (select job_id from job_attempts where id = $1)",
        [held.attemptId],
      );
    const taken = await Promise.all(
      [first, second, third].map(async (held) => ({ held, row: await of(held) })),
    );
    expect(taken.map(({ row }) => row?.name ?? "").toSorted(byText)).toEqual(["on 20", "on 22", "on 24"]);
    const on24 = taken.find(({ row }) => row?.node === "24")?.held ?? third;
    await run.runner.done(on24);
    await run.runner.run("new");
    for (const { held } of taken) if (held !== on24) await run.runner.done(held, failedResult);
    await runIs(bed.db, run.id, "failed");
    expect(await run.jobs()).toEqual([
      "unit 20: failed exit:1",
      "unit 22: failed exit:1",
      "unit 24: success",
      "all: skipped need_failed:unit",
      "new: success",
    ]);
    await rerun(run.id, "failed");
    for (let i = 0; i < 2; i += 1) await run.runner.run("unit");
    await run.runner.run("all");
    await runIs(bed.db, run.id, "success");
    const attempts = await bed.db.query(
      "select attempts from jobs where pipeline_id = $1 order by position, combination",
      [run.id],
    );
    expect(attempts.map((row) => (row as { attempts: number }).attempts)).toEqual([2, 2, 1, 1, 1]);
  });

  it("with max_parallel starts no more at the same time, and says so of the others", async () => {
    const run = await begin(planOf([planJob({ key: "unit", matrix: fixed(nodes, { maxParallel: 1 }) })]));
    for (let done = 0; done < 3; done += 1) {
      const held = await run.runner.take("unit");
      await run.runner.start(held);
      const waiting = Array.from({ length: 2 - done }, () => "waiting max_parallel");
      await eventually(async () => {
        const shown = (await run.jobs()).map((line) => line.slice(line.indexOf(":") + 2));
        expect(shown).toEqual([...Array.from({ length: done }, () => "success"), "running", ...waiting]);
        return true;
      });
      await run.runner.done(held);
    }
    await runIs(bed.db, run.id, "success");
  });

  it("with fail_fast cancels the others when one has failed for good", async () => {
    const retry = { max: 1, on: ["script"], delayMs: 0, factor: 1, maxDelayMs: 0 };
    const matrix = fixed(nodes, { failFast: true, maxParallel: 2 });
    const run = await begin(planOf([planJob({ key: "unit", matrix, retry })]));
    const running = await run.runner.take("unit");
    await run.runner.start(running);
    await run.runner.run("unit", failedResult);
    await run.runner.run("unit", failedResult);
    await eventually(async () => (await run.jobs()).includes("unit 24: cancelled fail_fast"));
    await run.runner.done(running, { status: "cancelled", reason: "fail_fast" });
    await runIs(bed.db, run.id, "failed");
    expect((await run.jobs()).toSorted(byText)).toEqual([
      "unit 20: cancelled fail_fast",
      "unit 22: failed exit:1",
      "unit 24: cancelled fail_fast",
    ]);
    await rerun(run.id, "failed");
    for (let i = 0; i < 3; i += 1) await run.runner.run("unit");
    await runIs(bed.db, run.id, "success");
  });
});

describe("a matrix that an earlier job finds out", () => {
  it("becomes jobs when that has ended, whose outputs are a list in its order", async () => {
    const run = await begin(listed);
    await run.runner.run("list", outputs(["x", "y", "z"]));
    for (const o of ["1", "2", "3"]) await run.runner.run("unit", { outputs: { o } });
    const after = await run.runner.take("after");
    const row = await bed.db.one<{ env: { ALL: string } }>(
      "select job -> 'env' as env from job_attempts where id = $1",
      [after.attemptId],
    );
    expect(row?.env.ALL.split("+").toSorted(byText)).toEqual(["1", "2", "3"]);
    expect(await run.jobs()).toEqual([
      "list: success",
      "unit x: success",
      "unit y: success",
      "unit z: success",
      "after: queued",
    ]);
    await run.runner.start(after);
    await run.runner.done(after);
    await runIs(bed.db, run.id, "success");
  });

  it.each<[string, unknown, string, string]>([
    ["nothing", [], "skipped", "unit: skipped matrix_empty"],
    ["no list", 7, "error", "unit: error config"],
    ["too many values", Array.from({ length: 300 }, (_, i) => i), "error", "unit: error config"],
  ])("%s: ends the job with a reason", async (_what, values, _status, line) => {
    const run = await begin(listed);
    await run.runner.run("list", outputs(values));
    await eventually(async () => (await run.jobs()).includes(line));
    await eventually(async () => (await run.jobs())[2]?.startsWith("after: skipped need_"));
    const job = await bed.db.one<{ message: string }>(
      "select message from jobs where pipeline_id = $1 and key = 'unit'",
      [run.id],
    );
    expect(job?.message).toMatch(/matrix/);
  });

  it("is found out again when a rerun runs that job again: what is still there is kept", async () => {
    const run = await begin(listed);
    await run.runner.run("list", outputs(["x", "y"]));
    for (let i = 0; i < 2; i += 1) await run.runner.run("unit", { outputs: { o: "1" } });
    await run.runner.run("after");
    await runIs(bed.db, run.id, "success");
    await rerun(run.id, "all");
    await run.runner.run("list", outputs(["y", "z"]));
    for (let i = 0; i < 2; i += 1) await run.runner.run("unit", { outputs: { o: "2" } });
    await run.runner.run("after");
    await runIs(bed.db, run.id, "success");
    expect(await run.jobs()).toEqual([
      "list: success",
      "unit y: success",
      "unit z: success",
      "unit x: skipped matrix_changed",
      "after: success",
    ]);
    const y = await bed.db.one<{ attempts: number }>(
      "select attempts from jobs where pipeline_id = $1 and matrix ->> 'v' = 'y'",
      [run.id],
    );
    expect(y?.attempts).toBe(2);
  });

  it("is skipped with what it depends on, and cancelled with its run", async () => {
    const failed = await begin(listed);
    await failed.runner.run("list", failedResult);
    await runIs(bed.db, failed.id, "failed");
    expect((await failed.jobs())[1]).toBe("unit: skipped need_failed:list");

    const stopped = await begin(listed);
    await stopped.runner.take("list");
    await cancelRun(bed.db, systemActor, { pipelineId: stopped.id, name: "test", force: true });
    await eventually(async () => (await stopped.jobs())[1]?.startsWith("unit: cancelled"));
  });
});
