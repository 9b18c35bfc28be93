/**
 * R14: ten thousand runs wait for four places, all but one of one repository. Everything is killed in the middle, and in the end what
 * waits is cancelled. Judged by what is lost, started twice or stuck; times are measured. A round takes about 25 minutes.
 */
import { eventually } from "../../../support/eventually.ts";
import type { Round, Scenario } from "../../scenario.ts";
import { countRuns, inLanes, triggerMany, untilEnded } from "./many-runs.ts";
import { openQueueWorld, type QueueWorld, type Started } from "./world.ts";
import { probeRest, quantile, waitsAlone, waitsForPlaces } from "./waits.ts";

const fullDepth = 10_000;
const middleDepth = 100;
/** That many jobs are looked at for a figure, and have to end after everything was killed. */
const sample = 200;
const patienceMs = 300_000;
const cancelPatienceMs = 1_800_000;

type Measures = Record<string, number>;

async function atDepthOne(world: QueueWorld): Promise<Measures> {
  return { "ms to a place, depth 1, p99": quantile(await waitsAlone(world, 30), 0.99) };
}

async function atMiddleDepth(world: QueueWorld): Promise<Measures> {
  const since = new Date();
  const runs = await triggerMany(world, "busy", middleDepth);
  await untilEnded(world, ids(runs), patienceMs);
  return { [`ms to a place, depth ${middleDepth}, p99`]: quantile(await waitsForPlaces(world, since), 0.99) };
}

const ids = (runs: readonly Started[]) => runs.map(({ id }) => id);

/** Until so many of them have succeeded. */
async function untilSucceeded(world: QueueWorld, runs: readonly Started[], count: number): Promise<void> {
  await eventually(async () => (await countRuns(world, ids(runs))).success >= count, {
    timeoutMs: patienceMs,
    intervalMs: 500,
  });
}

async function waitOfTheOther(world: QueueWorld): Promise<number> {
  const { id } = await world.trigger("lone");
  await untilEnded(world, [id], patienceMs);
  const [row] = await world.rows<{ ms: number }>(
    `select (extract(epoch from started_at - queued_at) * 1000)::float8 as ms from job_attempts
     where pipeline_id = $1`,
    [id],
  );
  return Math.round(row?.ms ?? Number.NaN);
}

async function fill(world: QueueWorld, depth: number): Promise<{ runs: Started[]; measures: Measures }> {
  const probe = probeRest(world);
  const from = performance.now();
  const runs = await triggerMany(world, "busy", depth);
  const perSecond = Math.round((depth / (performance.now() - from)) * 1000);
  const since = new Date();
  const { success } = await countRuns(world, ids(runs));
  const other = await waitOfTheOther(world);
  await untilSucceeded(world, runs, Math.min(success + sample, depth));
  await probe.stop();
  return {
    runs,
    measures: {
      "runs accepted a second": perSecond,
      [`ms to a place, depth ${depth}, p99`]: quantile(await waitsForPlaces(world, since), 0.99),
      "ms that the other repository waits": other,
      "ms of a page of runs, p99": quantile(probe.ms, 0.99),
    },
  };
}

async function cancelRest(world: QueueWorld, runs: readonly Started[]): Promise<number> {
  const from = performance.now();
  const open = await world.rows<Started>(
    "select id, number from pipelines where id = any($1) and finished_at is null",
    [ids(runs)],
  );
  await inLanes(open, ({ number }) =>
    world
      .call("POST", `/repos/admin/busy/pipelines/${number}/cancel`)
      // One that has just ended by itself.
      .catch((error: Error) => {
        if (!error.message.includes("HTTP 409")) throw error;
      }),
  );
  await untilEnded(world, ids(runs), cancelPatienceMs);
  return Math.round((performance.now() - from) / 1000);
}

/** Attempts of a run that began more than once; none may, since each was begun by a runner that came back. */
async function begunTwice(world: QueueWorld, runs: readonly Started[]): Promise<number> {
  const rows = await world.rows<{ pipeline_id: string }>(
    `select pipeline_id from job_attempts where pipeline_id = any($1) and started_at is not null
     group by 1 having count(*) > 1`,
    [ids(runs)],
  );
  return rows.length;
}

async function judge(world: QueueWorld, runs: readonly Started[], measures: Measures): Promise<Round> {
  const { known, open, success, cancelled } = await countRuns(world, ids(runs));
  const twice = await begunTwice(world, runs);
  const counts = {
    "runs lost": { bad: runs.length - known, total: runs.length },
    "runs without an end": { bad: open, total: runs.length },
    "runs that ended neither well nor cancelled": {
      bad: known - open - success - cancelled,
      total: runs.length,
    },
    "jobs begun twice": { bad: twice, total: runs.length },
  };
  const problems = Object.entries(counts)
    .filter(([, { bad }]) => bad > 0)
    .map(([property, { bad }]) => `${property}: ${bad}`);
  const fault = `everything killed with ${runs.length} runs queued`;
  return { verdict: problems.length > 0 ? "bad" : "good", counts, measures, fault, problems };
}

export async function playQueue(world: QueueWorld, depth: number): Promise<Round> {
  const before = { ...(await atDepthOne(world)), ...(await atMiddleDepth(world)) };
  const { runs, measures } = await fill(world, depth);
  const { success } = await countRuns(world, ids(runs));
  await world.killAll();
  await untilSucceeded(world, runs, Math.min(success + sample, depth));
  const cancelSeconds = await cancelRest(world, runs);
  return judge(world, runs, { ...before, ...measures, "s to cancel what waits": cancelSeconds });
}

export const queue: Scenario = {
  row: "R14",
  name: "queue",
  promise:
    "Ten thousand runs wait for four places and everything is killed: none is lost, begun twice or stuck, and another repository's run does not wait for them",
  async open() {
    const world = await openQueueWorld();
    return { round: () => playQueue(world, fullDepth), close: () => world.close() };
  },
};
