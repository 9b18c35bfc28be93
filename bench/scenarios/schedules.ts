/** Thousands of schedules: what they cost while none is due, and what becomes of them when all have the same minute. */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../test/support/eventually.ts";
import { ratioFigure, type Bench, type Scenario, type ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { median, nowMs } from "../statistics.ts";

/** Of the kernel's clock, in which it counts the time of processors. */
const tickMs = 10;

/** How busy all processors together are, in cores: the median of some windows. */
async function busyCores({ size: { schedules } }: Bench): Promise<number> {
  const windows: number[] = [];
  for (let window = 0; window < schedules.windows; window += 1) {
    const [before, beganMs] = [await busyMs(), nowMs()];
    await sleep(schedules.windowMs);
    windows.push(((await busyMs()) - before) / (nowMs() - beganMs));
  }
  return median(windows);
}

async function busyMs(): Promise<number> {
  const [line = ""] = (await readFile("/proc/stat", "utf8")).split("\n");
  const [user = 0, nice = 0, system = 0] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system) * tickMs;
}

/** In one repository, with one owner; none is due for a year. */
async function add(bench: Bench): Promise<void> {
  const { database, repository, size } = bench;
  const { rows } = await database.query<{ id: string; owner_id: string }>(
    "select id, owner_id from repositories where id = $1",
    [(await bench.client.call<{ id: string }>("GET", repository.path)).id],
  );
  const [place] = rows;
  await database.query(
    `insert into pipeline_schedules (id, repository_id, source, file, name, cron, timezone, if_missed, enabled, owner_id, next_at)
     select 'sched_' || lpad(n::text, 26, '0'), $1, 'manual', 'fake', 'n' || n, '0 3 29 2 *', 'Europe/Berlin', 'skip', true, $2,
       now() + interval '1 year' from generate_series(1, $3) n`,
    [place?.id, place?.owner_id, size.schedules.count],
  );
}

/** How long a run by hand takes to be given to a runner. */
async function toQueue({ client, repository, database }: Bench): Promise<number> {
  const beganMs = nowMs();
  const { id } = await client.call<{ id: string }>("POST", `${repository.path}/pipelines`, {
    pipeline: "fake",
  });
  await eventually(
    async () =>
      (await database.query("select id from job_attempts where pipeline_id = $1 limit 1", [id])).rows.length >
      0,
    { timeoutMs: 120_000, intervalMs: 5 },
  );
  return nowMs() - beganMs;
}

async function several(bench: Bench): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < bench.size.rounds; round += 1) times.push(await toQueue(bench));
  return median(times);
}

async function comeTogether(bench: Bench) {
  const { database, size } = bench;
  const beganMs = nowMs();
  await database.query("update pipeline_schedules set next_at = date_trunc('milliseconds', now())");
  await database.query("notify schedule");
  const meanwhile = several(bench);
  const counted = await eventually(
    async () => {
      const { rows } = await database.query<{ count: number; runs: number }>(
        "select count(*)::int as count, count(distinct pipeline_id)::int as runs from schedule_runs",
      );
      return rows[0] && rows[0].count >= size.schedules.count && rows[0];
    },
    { timeoutMs: 400_000, intervalMs: 100 },
  );
  const tookMs = nowMs() - beganMs;
  return { tookMs, runs: counted.runs, meanwhileMs: await meanwhile };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const { count } = bench.size.schedules;
  const aloneMs = await several(bench);
  const without = await busyCores(bench);
  await add(bench);
  const percent = Math.max(0, (await busyCores(bench)) - without) * 100;
  const { tookMs, runs, meanwhileMs } = await comeTogether(bench);
  return {
    figures: [
      {
        what: `${countOf(count)} schedules, none due`,
        value: `${percent.toFixed(1)} % of a core`,
        limit: { text: "< 3 %", met: percent < 3 },
      },
      {
        what: `${countOf(count)} at the same minute: different runs`,
        value: countOf(runs),
        limit: { text: "all", met: runs === count },
      },
      {
        what: "until the last one had its run",
        value: `${(tookMs / 1000).toFixed(0)} s, ${((count / tookMs) * 1000).toFixed(0)} a second`,
      },
      ratioFigure("a run by hand meanwhile, until a runner may take it, against alone", {
        ours: meanwhileMs,
        theirs: aloneMs,
        atMost: 10,
      }),
    ],
    parts: [],
  };
}

export const schedulesScenario: Scenario = {
  number: 17,
  isLong: true,
  title: ({ schedules }) => `${countOf(schedules.count)} schedules: idle, and at the same minute`,
  run,
};
