/** Statistics of deployments: how often, how much of it fails, and how long changes and repairs take. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DeploymentStatistics } from "@forgeline/schemas/environments/resource.ts";
import { insertDeployment } from "../../../support/deployments.ts";
import { startScheduleBed, type ScheduleBed } from "../../../support/schedule-bed.ts";

let bed: ScheduleBed;
const at = "/repos/ada/figures";
beforeAll(async () => {
  bed = await startScheduleBed();
  await bed.send("POST", "/repos", { name: "figures", readme: true, private: true });
  await bed.write(at, ".forgeline.yml", "image: busybox\nenvironment: production\nsteps: ['true']\n");
});
afterAll(() => bed?.close());

const today = Date.parse(new Date().toISOString().slice(0, 10));
/** In so many days, counted back from today, at a minute of the day. */
const time = (daysAgo: number, minute: number) => new Date(today - daysAgo * 86_400_000 + minute * 60_000);

/** A run of a commit; `committed` null: it was made before its time was kept. */
async function runOf(sha: string, committed: Date | null): Promise<string> {
  const { id } = (await bed.send("POST", `${at}/pipelines`, {})).json;
  await bed.database.query("update pipelines set sha = $2, committed_at = $3 where id = $1", [
    id,
    sha.repeat(40),
    committed,
  ]);
  return id as string;
}

interface Wanted {
  status: "success" | "failed" | "error" | "cancelled";
  /** When it was queued, and when it ended. */
  from: Date;
  to: Date;
  repeats?: string;
}

async function deploy(pipelineId: string, { status, from, to, repeats }: Wanted): Promise<string> {
  const id = await insertDeployment(bed.database, { pipelineId, environment: "production" });
  await bed.database.query("update deployments set created_at = $2, repeats_id = $3 where id = $1", [
    id,
    from,
    repeats ?? null,
  ]);
  await bed.database.query(
    `update job_attempts set status = $2, finished_at = $3
     where id = (select attempt_id from deployments where id = $1)`,
    [id, status, to],
  );
  return id;
}

const read = async (days: number, name = "production") =>
  (await bed.send("GET", `${at}/environments/${name}/statistics?days=${days}`)).json as DeploymentStatistics;

test("count what failed and was rolled back, and tell how long changes and repairs took", async () => {
  await bed.send("PUT", `${at}/environments/production`, {});
  expect(await read(30, "PRODUCTION")).toMatchObject({
    environment: "production",
    deployments: 0,
    per_day: 0,
    success_rate: null,
    failure_rate: null,
    lead_time: null,
    restore_time: null,
  });
  const a = await runOf("a", time(41, 0));
  await deploy(a, { status: "failed", from: time(40, 0), to: time(40, 10) });
  // Goes on what failed before the period, so it is no new failure in 30 days.
  await deploy(a, { status: "failed", from: time(10, 0), to: time(10, 10) });
  const b = await runOf("b", time(10, 70));
  const good = await deploy(b, { status: "success", from: time(10, 120), to: time(10, 130) });
  const c = await runOf("c", time(9, 10));
  await deploy(c, { status: "failed", from: time(9, 0), to: time(9, 10) });
  await deploy(c, { status: "error", from: time(9, 60), to: time(9, 70) });
  await deploy(c, { status: "success", from: time(9, 120), to: time(9, 130) });
  const d = await runOf("d", time(8, 0));
  await deploy(d, { status: "success", from: time(8, 0), to: time(8, 30) });
  await deploy(b, { status: "success", from: time(8, 60), to: time(8, 70), repeats: good });
  await deploy(d, { status: "cancelled", from: time(8, 120), to: time(8, 130) });
  // The commit was deployed before, by another run.
  const again = await runOf("b", time(10, 70));
  await deploy(again, { status: "success", from: time(7, 0), to: time(7, 10) });
  await deploy(again, { status: "failed", from: time(6, 0), to: time(6, 10) });
  const old = await runOf("e", null);
  await deploy(old, { status: "success", from: time(5, 0), to: time(5, 10) });
  await deploy(old, { status: "success", from: time(4, 0), to: time(4, 10) });
  await deploy(old, { status: "failed", from: time(1, 0), to: time(1, 10) });

  const found = await read(30);
  expect(found).toMatchObject({
    days: 30,
    deployments: 13,
    succeeded: 7,
    failed: 5,
    cancelled: 1,
    rolled_back: 1,
    per_day: 0.23,
    per_week: 1.63,
    success_rate: 7 / 12,
    failure_rate: 6 / 12,
    // Half an hour, one and two.
    lead_time: { p50: 3600, p90: 7200 },
    // 40 minutes, two hours, and a day; what failed last is not mended.
    restore_time: 7200,
  });
  expect(found.by_day).toHaveLength(30);
  const day = time(8, 0).toISOString().slice(0, 10);
  expect(found.by_day.filter((each) => each.day === day)).toEqual([
    { day, deployments: 3, succeeded: 2, failed: 0, cancelled: 1, rolled_back: 1 },
  ]);
  expect(await read(90)).toMatchObject({ failed: 6, deployments: 14 });
  expect(await read(2)).toMatchObject({ failed: 1, success_rate: 0, lead_time: null, restore_time: null });
});

test("are for whoever reads the repository, of at most 90 days", async () => {
  const path = `${at}/environments/production/statistics`;
  const eve = await bed.server.person("eve");
  expect((await bed.send("GET", path, undefined, eve)).status).toBe(404);
  expect((await bed.send("GET", `${path}?days=91`)).status).toBe(400);
  expect((await bed.send("GET", `${at}/environments/none/statistics`)).status).toBe(404);
});

test("know when a commit was made from the commit itself", async () => {
  const { id } = (await bed.send("POST", `${at}/pipelines`, {})).json;
  const kept = await bed.database.query<{ age: number; event: object }>(
    "select extract(epoch from now() - committed_at)::int as age, event from pipelines where id = $1",
    [id],
  );
  expect(kept[0]?.age).toBeGreaterThanOrEqual(0);
  expect(kept[0]?.event).not.toHaveProperty("committedAt");
});
