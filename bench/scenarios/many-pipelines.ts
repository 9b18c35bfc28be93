/** Many pipelines of one trivial job at once on a runner that executes nothing, against Temporal's own rate. */
import { temporalRate } from "../baselines/temporal-rate.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { nowMs, quantile } from "../statistics.ts";
import { eventually } from "../../test/support/eventually.ts";

const concurrency = 16;
/** What the workflow of a run of one job does: loadRun, startJobs, finishRun. */
const activitiesOfRun = 3;

async function ourRate({ client, repository, database, size: { pipelines } }: Bench) {
  const trigger = () =>
    client.call<{ id: string }>("POST", `${repository.path}/pipelines`, { pipeline: "fake" });
  await untilFinished(database, [(await trigger()).id]);
  const ids: string[] = [];
  let left = pipelines;
  const beganMs = nowMs();
  const lane = async () => {
    while (left-- > 0) ids.push((await trigger()).id);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const answeredMs = nowMs() - beganMs;
  const last = await untilFinished(database, ids);
  return { ...last, answeredMs, perSecond: (pipelines / (last.lastMs - beganMs)) * 1000 };
}

function untilFinished(database: Bench["database"], ids: readonly string[]) {
  return eventually(
    async () => {
      const { rows } = await database.query<{ open: number; bad: number; lastMs: number; queues: number[] }>(
        `select (count(*) filter (where p.finished_at is null))::int as open,
           (count(*) filter (where p.status <> 'success'))::int as bad,
           extract(epoch from max(p.finished_at))::float8 * 1000 as "lastMs",
           array_agg(extract(epoch from a.started_at - a.queued_at)::float8 * 1000) as queues
         from pipelines p left join job_attempts a on a.pipeline_id = p.id where p.id = any($1)`,
        [ids],
      );
      const [row] = rows;
      if (!row || row.open > 0) return false;
      if (row.bad > 0) throw new Error(`${row.bad} pipelines did not succeed`);
      return row;
    },
    { timeoutMs: 120_000, intervalMs: 100 },
  );
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const { pipelines } = bench.size;
  const ours = await ourRate(bench);
  const theirs = await temporalRate({
    address: bench.instance.bed.temporalAddress,
    directory: bench.directory,
    workflows: pipelines,
    activities: activitiesOfRun,
    concurrency,
  });
  return {
    figures: [
      {
        what: "pipelines a second",
        value: `${ours.perSecond.toFixed(1)} against ${theirs.toFixed(1)} empty workflows with ${activitiesOfRun} local activities (${(ours.perSecond / theirs).toFixed(2)} ×)`,
      },
    ],
    parts: [
      {
        title: `${pipelines} pipelines at once`,
        parts: [
          { what: "all requests answered", ms: ours.answeredMs },
          { what: "wait in the queue, median", ms: quantile(ours.queues, 0.5) },
          { what: "wait in the queue, 99th percentile", ms: quantile(ours.queues, 0.99) },
        ],
      },
    ],
  };
}

export const manyPipelinesScenario: Scenario = {
  number: 5,
  title: ({ pipelines }) => `${pipelines} pipelines of one trivial job at once, runner on the fake engine`,
  run,
};
