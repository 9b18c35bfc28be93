/** Rows of `run_figures`: written when runs have ended, and added up. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { RunFiguresRows } from "./run-figures.rows.ts";

/** Of a group of runs. Cheap, as it needs no order. */
const counts = `
  count(*)::int as runs,
  count(*) filter (where f.status = 'success')::int as succeeded,
  count(*) filter (where f.status = 'failed')::int as failed,
  count(*) filter (where f.status = 'error')::int as errors,
  count(*) filter (where f.status = 'cancelled')::int as cancelled,
  count(*) filter (where f.status = 'skipped')::int as skipped,
  coalesce(sum(f.runner_ms), 0)::float8 as runner_ms,
  coalesce(sum(f.attempts), 0)::int as attempts`;
/** Null where there is nothing of which to take any. */
const percentiles = (column: string) => `(percentile_disc(array[0.5, 0.9]) within group (order by f.${column})
    filter (where f.status in ('success', 'failed')))::float8[] as ${column}`;
const totals = `select ${counts}, ${percentiles("duration_ms")}, ${percentiles("queue_ms")}`;
const day = "(f.ended_at at time zone 'UTC')::date";
const days = `select ${day}::text as day, ${counts}, ${percentiles("duration_ms")}`;
const within = "f.ended_at >= $1::date::timestamp at time zone 'UTC'";
const ofFilter = `from run_figures f
    where f.repository_id = $2 and ${within} and ($3::text is null or f.file = $3) and ($4::text is null or f.ref = $4)`;
const living = `from run_figures f join repository_names n using (repository_id)
    where n.deleted_at is null and ${within}`;
const ofOrganization = `${living} and n.owner_id = $2`;
/** Names come last: to group a hundred thousand runs by the name of their repository costs more than three times as much as by its id. */
const perRepository = (of: string) => `
    select g.*, n.full_name from (select f.repository_id, ${counts} ${of} group by f.repository_id) g
    join repository_names n using (repository_id) order by g.runner_ms desc, g.repository_id`;

export const statements = defineStatements<RunFiguresRows>({
  record: `
    with given as (
      select * from jsonb_to_recordset($1::jsonb)
        as run(id text, status text, sequence int, started_at timestamptz, finished_at timestamptz)),
    ended as (select distinct on (id) * from given order by id, sequence desc)
    insert into run_figures (pipeline_id, repository_id, file, ref, status, ended_at, duration_ms, queue_ms, runner_ms, attempts)
    select p.id, p.repository_id, p.file, p.ref, e.status, e.finished_at,
      (extract(epoch from f.finished_at - f.started_at) * 1000)::bigint,
      a.queue_ms, coalesce(a.runner_ms, 0), a.attempts
    from ended e join pipelines p on p.id = e.id left join given f on f.id = e.id and f.sequence = 1
    cross join lateral (
      select count(*)::int as attempts,
        (max(extract(epoch from o.started_at - o.queued_at)) filter (where o.queued_at <= f.finished_at) * 1000)::bigint as queue_ms,
        (sum(extract(epoch from o.finished_at - o.started_at)) * 1000)::bigint as runner_ms
      from job_attempts o where o.pipeline_id = e.id) a
    where e.finished_at is not null
    on conflict (pipeline_id) do update set status = excluded.status, ended_at = excluded.ended_at,
      duration_ms = coalesce(excluded.duration_ms, run_figures.duration_ms),
      queue_ms = coalesce(excluded.queue_ms, run_figures.queue_ms),
      runner_ms = excluded.runner_ms, attempts = excluded.attempts`,
  totalOfRepository: `${totals} ${ofFilter}`,
  daysOfRepository: `${days} ${ofFilter} group by ${day}`,
  filesOfRepository: `select f.file, ${counts} ${ofFilter} group by f.file order by runs desc, f.file limit 20`,
  totalOfOrganization: `${totals} ${ofOrganization}`,
  daysOfOrganization: `${days} ${ofOrganization} group by ${day}`,
  totalOfInstance: `${totals} ${living}`,
  daysOfInstance: `${days} ${living} group by ${day}`,
  listOfOrganization: `${perRepository(ofOrganization)} limit $3 offset $4`,
  countOfOrganization: `select count(distinct f.repository_id)::int as total ${ofOrganization}`,
  listOfInstance: `${perRepository(living)} limit $2 offset $3`,
  countOfInstance: `select count(distinct f.repository_id)::int as total ${living}`,
});

export type TotalRow = RowOf<typeof statements.totalOfRepository>;
export type DayRow = RowOf<typeof statements.daysOfRepository>;
export type FileRow = RowOf<typeof statements.filesOfRepository>;
export type RepositoryRow = RowOf<typeof statements.listOfOrganization>;

/** A run that has ended, as its event kept it. */
export interface EndedRun {
  id: string;
  status: string;
  sequence: number;
  started_at: string | null;
  finished_at: string | null;
}

/** Safe to call twice. */
export async function record(tx: Transaction, runs: readonly EndedRun[]): Promise<void> {
  await tx.query(statements.record, [JSON.stringify(runs)]);
}

export interface RunFilter {
  repositoryId: string;
  file: string | null;
  ref: string | null;
}

export interface Sums {
  /** Undefined never: without a run, all is 0. */
  total: TotalRow | undefined;
  /** Those with runs. */
  days: DayRow[];
  files: FileRow[];
}

/** `since`: the first day. */
export async function sumRepository(
  db: Queryable,
  since: string,
  { repositoryId, file, ref }: RunFilter,
): Promise<Sums> {
  const wanted = [since, repositoryId, file, ref];
  const [total, days, files] = await Promise.all([
    db.one(statements.totalOfRepository, wanted),
    db.query(statements.daysOfRepository, wanted),
    db.query(statements.filesOfRepository, wanted),
  ]);
  return { total, days, files };
}

export async function sumOrganization(db: Queryable, since: string, organizationId: string): Promise<Sums> {
  const wanted = [since, organizationId];
  const [total, days] = await Promise.all([
    db.one(statements.totalOfOrganization, wanted),
    db.query(statements.daysOfOrganization, wanted),
  ]);
  return { total, days, files: [] };
}

export async function sumInstance(db: Queryable, since: string): Promise<Sums> {
  const [total, days] = await Promise.all([
    db.one(statements.totalOfInstance, [since]),
    db.query(statements.daysOfInstance, [since]),
  ]);
  return { total, days, files: [] };
}

interface Page {
  page: number;
  per_page: number;
}

const placeOf = ({ page, per_page: size }: Page) => [size, (page - 1) * size];

export async function listOfOrganization(
  db: Queryable,
  { since, organizationId }: { since: string; organizationId: string },
  page: Page,
): Promise<{ rows: RepositoryRow[]; total: number }> {
  const wanted = [since, organizationId];
  const [rows, count] = await Promise.all([
    db.query(statements.listOfOrganization, [...wanted, ...placeOf(page)]),
    db.one(statements.countOfOrganization, wanted),
  ]);
  return { rows, total: count?.total ?? 0 };
}

export async function listOfInstance(
  db: Queryable,
  since: string,
  page: Page,
): Promise<{ rows: RepositoryRow[]; total: number }> {
  const [rows, count] = await Promise.all([
    db.query(statements.listOfInstance, [since, ...placeOf(page)]),
    db.one(statements.countOfInstance, [since]),
  ]);
  return { rows, total: count?.total ?? 0 };
}
