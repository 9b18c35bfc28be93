/** Runs that the database refuses: they end, or wait without keeping others from the worker. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { maxLabelChars, maxLabels, maxLabelsBytes } from "@forgeline/schemas/runners/label.ts";
import { eventually } from "../../support/eventually.ts";
import { startOrchestration, type Orchestration } from "../../support/orchestration.ts";
import { refuseAttempts } from "../../support/refused-attempts.ts";
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
  bed = await startOrchestration();
});
afterAll(() => bed.close());

/** More than the worker has places for decisions, and for activities. */
const many = 60;

async function begin(job: Partial<PlanJob> = {}) {
  const repository = await insertRepository(bed.db);
  return insertRun(bed.db, repository, planOf([planJob({ key: "work", ...job })]));
}

it.each(["54000", "22P05", "23514"])("end as our own error where it is for good: %s", async (sqlState) => {
  const repository = await insertRepository(bed.db);
  const refusal = await refuseAttempts(bed.ownerUrl, repository.id, sqlState);
  try {
    const run = await insertRun(bed.db, repository, planOf([planJob({ key: "work" })]));
    expect((await runIs(bed.db, run.id, "error")).reason).toMatch(/^internal:/);
    expect((await jobsOf(bed.db, run.id))["work"]).toMatch(/^error internal:/);
  } finally {
    await refusal.lift();
  }
});

it(
  "keep nobody waiting while they are tried again, and go on when they can",
  { timeout: 120_000 },
  async () => {
    const repository = await insertRepository(bed.db);
    const refusal = await refuseAttempts(bed.ownerUrl, repository.id, "55P03");
    const refused: string[] = [];
    for (let i = 0; i < many; i += 1)
      refused.push((await insertRun(bed.db, repository, planOf([planJob({ key: "work" })]))).id);
    const other = await begin();
    await handRunner(bed.db, other.id).run("work");
    await runIs(bed.db, other.id, "success");
    expect(await jobsOf(bed.db, refused[0] ?? "")).toEqual({ work: "waiting stage_order" });
    await refusal.lift();
    // The next try may be half a minute away.
    const isQueued = async (id: string) => (await jobsOf(bed.db, id))["work"] === "queued";
    for (const id of refused) await eventually(() => isQueued(id), { timeoutMs: 60_000 });
    const last = refused.at(-1) ?? "";
    await handRunner(bed.db, last).run("work");
    await runIs(bed.db, last, "success");
  },
);

it("end as errors of their file where a stored plan asks for labels that are too long", async () => {
  const run = await begin({ runnerLabels: [randomBytes(4_000).toString("hex")] });
  expect(await runIs(bed.db, run.id, "error")).toMatchObject({ reason: "config" });
  expect(await messageOf(run.id)).toContain(`at most ${maxLabelChars} are allowed`);
});

it("end as errors of their file where an expression makes a text that cannot be kept", async () => {
  for (const made of ["\\u0000", "\\ud800"]) {
    const run = await begin({ env: { A: `\${{ fromJson('"${made}"') }}` } });
    expect(await runIs(bed.db, run.id, "error")).toMatchObject({ reason: "config" });
    expect(await messageOf(run.id)).toContain("must not contain NUL or unpaired surrogates");
  }
});

it("are none of those that ask for as much as they may", async () => {
  const length = Math.floor(maxLabelsBytes / maxLabels);
  const runnerLabels = Array.from({ length: maxLabels }, () =>
    randomBytes(length).toString("base64url").slice(0, length),
  );
  const run = await begin({ runnerLabels });
  await handRunner(bed.db, run.id).run("work");
  await runIs(bed.db, run.id, "success");
});

async function messageOf(pipelineId: string): Promise<string | null> {
  const row = await bed.db.one<{ message: string | null }>(
    "select message from jobs where pipeline_id = $1",
    [pipelineId],
  );
  return row?.message ?? null;
}
