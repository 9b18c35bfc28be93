/** How long jobs and steps of a repository's last runs took: of a bounded sample, since nothing is kept of them beside their rows. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { JobTimesRows } from "./job-times.rows.ts";
import type { RunFilter } from "./run-figures.store.ts";

const maxRuns = 500;
const maxAttempts = 1_000;
const shown = 20;

const milliseconds = (interval: string) => `(extract(epoch from ${interval}) * 1000)::float8`;
const percentiles = (of: string) =>
  `percentile_disc(array[0.5, 0.9]) within group (order by ${milliseconds(of)})`;

export const statements = defineStatements<JobTimesRows>({
  sample: `
    select s.pipeline_id from (
      select f.pipeline_id, row_number() over newest_first as place, sum(f.attempts) over newest_first as attempts
      from run_figures f
      where f.repository_id = $2 and f.ended_at >= $1::date::timestamp at time zone 'UTC'
        and ($3::text is null or f.file = $3) and ($4::text is null or f.ref = $4)
      window newest_first as (order by f.ended_at desc, f.pipeline_id rows unbounded preceding)
      order by f.ended_at desc, f.pipeline_id limit ${maxRuns}) s
    where s.place = 1 or s.attempts <= ${maxAttempts}`,
  jobTimes: `
    select p.file, j.key as job, count(*)::int as count,
      count(*) filter (where a.status in ('failed', 'error'))::int as failed,
      ${percentiles("a.finished_at - a.started_at")} as duration_ms,
      ${percentiles("a.started_at - a.queued_at")} as queue_ms,
      sum(${milliseconds("a.finished_at - a.started_at")}) as runner_ms
    from job_attempts a join jobs j on j.id = a.job_id join pipelines p on p.id = a.pipeline_id
    where a.pipeline_id = any($1::text[]) and a.started_at is not null and a.finished_at is not null
    group by p.file, j.key order by (${percentiles("a.finished_at - a.started_at")})[1] desc, p.file, j.key limit ${shown}`,
  stepTimes: `
    select p.file, j.key as job, s.name as step, count(*)::int as count,
      count(*) filter (where s.status in ('failed', 'error'))::int as failed,
      ${percentiles("s.finished_at - s.started_at")} as duration_ms
    from job_attempts a join jobs j on j.id = a.job_id join pipelines p on p.id = a.pipeline_id
      join steps s on s.attempt_id = a.id
    where a.pipeline_id = any($1::text[]) and s.started_at is not null and s.finished_at is not null
    group by p.file, j.key, s.name
    order by (${percentiles("s.finished_at - s.started_at")})[1] desc, p.file, j.key, s.name limit ${shown}`,
});

export type JobTimesRow = RowOf<typeof statements.jobTimes>;
export type StepTimesRow = RowOf<typeof statements.stepTimes>;

/** The newest runs that match; `since`: the first day. */
export async function sample(
  db: Queryable,
  since: string,
  { repositoryId, file, ref }: RunFilter,
): Promise<string[]> {
  const rows = await db.query(statements.sample, [since, repositoryId, file, ref]);
  return rows.map(({ pipeline_id: id }) => id);
}

/** The slowest first. */
export function jobTimes(db: Queryable, pipelineIds: readonly string[]) {
  return db.query(statements.jobTimes, [pipelineIds]);
}

/** The slowest first. */
export function stepTimes(db: Queryable, pipelineIds: readonly string[]) {
  return db.query(statements.stepTimes, [pipelineIds]);
}
