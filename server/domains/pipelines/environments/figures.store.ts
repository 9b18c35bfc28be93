/** What the deployments to an environment add up to: one statement over the days that are asked for. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { FiguresRows } from "./figures.rows.ts";

const from = "$2::date::timestamp at time zone 'UTC'";
const seconds = (interval: string) => `greatest(0, extract(epoch from ${interval}))::float8`;
const ended = (where: string) => `
      select d.id, d.created_at, d.repeats_id is not null as repeats, a.status, a.finished_at, p.repository_id, p.sha, p.committed_at
      from deployments d join job_attempts a on a.id = d.attempt_id join pipelines p on p.id = a.pipeline_id
      where d.environment_id = $1 and ${where}`;
/** Of the same commit to the same environment. */
const firstOfCommit = `not exists (
        select 1 from pipelines op join job_attempts oa on oa.pipeline_id = op.id and oa.status = 'success'
        join deployments o on o.attempt_id = oa.id and o.environment_id = $1
        where op.repository_id = e.repository_id and op.sha = e.sha and (o.created_at, o.id) < (e.created_at, e.id))`;

export const statements = defineStatements<FiguresRows>({
  // The last one before the period tells whether the first failure in it is a new one. What comes later is looked at backwards, because a
  // frame whose beginning moves is added up anew for each row.
  sum: `
    with ended as (${ended(`d.created_at >= ${from} and a.status in ('success', 'failed', 'error', 'cancelled')`)}
      union all (${ended(`d.created_at < ${from} and a.status in ('success', 'failed', 'error')`)}
        order by d.created_at desc, d.id desc limit 1)
    ), compared as (
      select e.*, e.status = 'success' and coalesce(lead(e.repeats) over later and lead(e.sha) over later <> e.sha, false) as undone,
        case when e.status = 'success' and not e.repeats and e.committed_at is not null and ${firstOfCommit}
          then ${seconds("e.finished_at - e.committed_at")} end as lead_seconds
      from ended e window later as (partition by e.status order by e.created_at, e.id)
    ), series as (
      select c.*, status in ('failed', 'error') or undone as is_bad,
        lag(status <> 'success' or undone) over following as was_bad,
        min(finished_at) filter (where status = 'success' and not undone) over later as good_at
      from compared c window following as (partition by status = 'cancelled' order by created_at, id),
        later as (partition by status = 'cancelled' order by created_at desc, id desc rows between unbounded preceding and 1 preceding)
    )
    select coalesce(((created_at at time zone 'UTC')::date)::text, '') as day,
      count(*)::int as deployments,
      count(*) filter (where status = 'success')::int as succeeded,
      count(*) filter (where status in ('failed', 'error'))::int as failed,
      count(*) filter (where status = 'cancelled')::int as cancelled,
      count(*) filter (where undone)::int as undone,
      percentile_disc(array[0.5, 0.9]) within group (order by lead_seconds) as lead_seconds,
      percentile_disc(0.5) within group (order by case when is_bad and was_bad is not true and good_at is not null
        then ${seconds("good_at - finished_at")} end) as restore_seconds
    from series where created_at >= ${from}
    group by grouping sets ((), ((created_at at time zone 'UTC')::date))`,
});

export type FigureRow = RowOf<typeof statements.sum>;

/** `since`: the first day. The whole period always has a row, days only where something was deployed. */
export async function sumDeployments(
  db: Queryable,
  environmentId: string,
  since: string,
): Promise<{ total: FigureRow | undefined; days: FigureRow[] }> {
  const rows = await db.query(statements.sum, [environmentId, since]);
  return { total: rows.find(({ day }) => day === ""), days: rows.filter(({ day }) => day !== "") };
}
