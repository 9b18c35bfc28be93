/** Where the time of a run went, from what the instance and its runner recorded. One machine, so one clock. */
import type pg from "pg";
import { median } from "./statistics.ts";
import type { Part } from "./scenario.ts";

export interface AttemptTimes {
  recordedMs: number;
  queuedMs: number;
  /** The runner accepted; its lease was written. */
  leasedMs: number;
  /** The runner began. */
  begunMs: number;
  stepMs: number;
  stepEndedMs: number;
  /** The result was recorded. */
  doneMs: number;
  finishedMs: number;
}

/** All attempts of a run, in the order in which they were queued. Times in milliseconds since 1970. */
export async function attemptTimes(database: pg.Client, pipelineId: string): Promise<AttemptTimes[]> {
  const ms = (column: string, name: string) => `extract(epoch from ${column})::float8 * 1000 as "${name}"`;
  const { rows } = await database.query<AttemptTimes>(
    `select ${ms("p.created_at", "recordedMs")}, ${ms("a.queued_at", "queuedMs")},
       ${ms("l.created_at", "leasedMs")}, ${ms("a.started_at", "begunMs")}, ${ms("s.started_at", "stepMs")},
       ${ms("s.finished_at", "stepEndedMs")}, ${ms("a.finished_at", "doneMs")},
       ${ms("p.finished_at", "finishedMs")}
     from pipelines p join job_attempts a on a.pipeline_id = p.id
     join steps s on s.attempt_id = a.id and s.position = 0
     join log_streams l on l.attempt_id = a.id and l.kind = 'setup'
     where p.id = $1 order by a.queued_at`,
    [pipelineId],
  );
  return rows;
}

/** Medians of the distances between the moments that each sample has, in the order given. */
export function partsOf(samples: readonly Record<string, number>[], names: readonly string[]): Part[] {
  return names.map((what) => ({ what, ms: median(samples.map((sample) => sample[what] ?? Number.NaN)) }));
}
