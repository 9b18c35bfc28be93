/** How long runs wait for a place that is free, and how long REST takes: read from the database and by probes. */
import { setTimeout as sleep } from "node:timers/promises";
import { untilEnded } from "./many-runs.ts";
import { places, type QueueWorld } from "./world.ts";

const probeMs = 100;

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

/** From the moment a job was queued to its first line, each with nothing else in the queue. */
export async function waitsAlone(world: QueueWorld, times: number): Promise<number[]> {
  const ids: string[] = [];
  for (let time = 0; time < times; time += 1) {
    const { id } = await world.trigger("busy");
    await untilEnded(world, [id], 60_000);
    ids.push(id);
  }
  const rows = await world.rows<{ ms: number }>(
    `select (extract(epoch from started_at - queued_at) * 1000)::float8 as ms from job_attempts
     where pipeline_id = any($1)`,
    [ids],
  );
  return rows.map(({ ms }) => ms);
}

/** From the moment a place became free to the next job's start, since `since`: all places were in use. */
export async function waitsForPlaces(world: QueueWorld, since: Date): Promise<number[]> {
  const rows = await world.rows<{ started: number; finished: number | null }>(
    `select extract(epoch from started_at)::float8 * 1000 as started,
       extract(epoch from finished_at)::float8 * 1000 as finished
     from job_attempts where started_at >= $1 order by started_at`,
    [since],
  );
  const ends = rows
    .flatMap(({ finished }) => (finished === null ? [] : [finished]))
    .toSorted((a, b) => a - b);
  return rows.slice(places).flatMap(({ started }, index) => {
    const end = ends[index];
    return end === undefined ? [] : [Math.max(0, started - end)];
  });
}

export interface Probe {
  /** Milliseconds of each answer so far. */
  readonly ms: number[];
  stop(): Promise<void>;
}

/** Reads a page of runs again and again, as somebody who looks at the list. */
export function probeRest(world: QueueWorld): Probe {
  const ms: number[] = [];
  let isStopped = false;
  const loop = async () => {
    while (!isStopped) {
      const from = performance.now();
      await world.call("GET", "/repos/admin/lone/pipelines?per_page=20");
      ms.push(performance.now() - from);
      await sleep(probeMs);
    }
  };
  const running = loop();
  return {
    ms,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
