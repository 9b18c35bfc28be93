import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
beforeAll(async () => {
  bed = await startOrchestration({ graceMs: 300, marginMs: 300, alwaysMs: 2_000 });
  repository = await insertRepository(bed.db);
});
afterAll(() => bed.close());

describe("the course of a run", () => {
  it("runs stages one after the other and ends with success", async () => {
    const plan = planOf([
      planJob({ key: "compile", stage: "build" }),
      planJob({ key: "unit", stage: "test" }),
      planJob({ key: "ship", stage: "deploy" }),
    ]);
    const { id } = await insertRun(bed.db, repository, plan);
    const runner = handRunner(bed.db, id);
    for (const key of ["compile", "unit", "ship"]) await runner.run(key);
    await runIs(bed.db, id, "success");
    expect(await jobsOf(bed.db, id)).toEqual({ compile: "success", unit: "success", ship: "success" });
  });
});
