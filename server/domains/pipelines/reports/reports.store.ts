/** Rows of `job_reports` and `annotations`. Of a job, people see what its newest attempt with reports has left. */
import { reportsName } from "@forgeline/schemas/reports/manifest.ts";
import type { AnnotationLevel } from "@forgeline/schemas/reports/resource.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { FoundProblem, FoundReports } from "./parse/found.ts";
import type { ReportsRows } from "./reports.rows.ts";

/** Of a row `r` of `job_reports`. */
export const newest = `not exists (select from job_reports later join job_attempts b on b.id = later.attempt_id
  where later.job_id = r.job_id and b.attempt > (select c.attempt from job_attempts c where c.id = r.attempt_id))`;
const takenFor = "interval '2 minutes'";

export const statements = defineStatements<ReportsRows>({
  record: `
    insert into job_reports (attempt_id, repository_id, pipeline_id, job_id, artifact_id, sha, job_key, combination)
    select x.attempt_id, x.repository_id, x.pipeline_id, x.job_id, x.id, p.sha, p.file || ' ' || j.key, coalesce(j.matrix::text, '')
    from artifacts x join pipelines p on p.id = x.pipeline_id join jobs j on j.id = x.job_id
    where x.id = $3 and x.attempt_id = $1 and x.epoch = $2 and x.name = '${reportsName}' and x.sha256 is not null
    on conflict do nothing returning attempt_id`,
  takeWaiting: `
    with taken as (
      update job_reports set taken_until = now() + ${takenFor}, tries = tries + 1
      where attempt_id = (
        select attempt_id from job_reports where read_at is null and (taken_until is null or taken_until < now())
        order by created_at limit 1 for update skip locked
      )
      returning attempt_id, repository_id, pipeline_id, tries, artifact_id
    )
    select t.attempt_id, t.repository_id, t.pipeline_id, t.tries, t.artifact_id, x.size_bytes, x.parts
    from taken t left join artifacts x on x.id = t.artifact_id`,
  postpone:
    "update job_reports set taken_until = now() + $2 * interval '1 second' where attempt_id = $1 and read_at is null",
  finish: `
    update job_reports set read_at = now(), artifact_id = null, summary = $2, problems = $3::jsonb,
      passed = $4, failed = $5, skipped = $6, tests_ms = $7, lines_covered = $8, lines_total = $9
    where attempt_id = $1 and read_at is null returning attempt_id`,
  addAnnotations: `
    insert into annotations (attempt_id, position, pipeline_id, step, level, path, line, end_line, title, message, source)
    select $1, f.at - 1, $2, f.step, f.level, f.path, f.line, f."endLine", f.title, f.message, f.source
    from rows from (jsonb_to_recordset($3::jsonb) as (step int, level text, path text, line int, "endLine" int, title text,
      message text, source text)) with ordinality as f(step, level, path, line, "endLine", title, message, source, at)`,
  findRun: "select id from pipelines where repository_id = $1 and (id = $2 or number::text = $2)",
  listOfRun: `
    select j.id as job_id, j.key, j.name, j.matrix, a.attempt, r.created_at, r.read_at, r.summary, r.problems,
      r.passed, r.failed, r.skipped, r.tests_ms, r.lines_covered, r.lines_total,
      array(select s.name from steps s where s.attempt_id = r.attempt_id order by s.position) as step_names,
      (select count(*) from annotations n where n.attempt_id = r.attempt_id)::int as annotations
    from job_reports r join jobs j on j.id = r.job_id join job_attempts a on a.id = r.attempt_id
    where r.pipeline_id = $1 and ${newest} order by j.position, j.combination limit $2 offset $3`,
  countOfRun: `select count(*)::int as total from job_reports r where r.pipeline_id = $1 and ${newest}`,
  listAnnotations: `
    select j.id as job_id, j.key, j.name, j.matrix, s.name as step_name, n.level, n.path, n.line, n.end_line, n.title, n.message,
      n.source
    from annotations n join job_reports r on r.attempt_id = n.attempt_id join jobs j on j.id = r.job_id
    left join steps s on s.attempt_id = n.attempt_id and s.position = n.step
    where n.pipeline_id = $1 and ($2::text is null or n.level = $2) and ($3::text is null or n.path = $3) and ${newest}
    order by array_position(array['error', 'warning', 'notice'], n.level), j.position, j.combination, n.position
    limit $4 offset $5`,
  countAnnotations: `
    select count(*)::int as total from annotations n join job_reports r on r.attempt_id = n.attempt_id
    where n.pipeline_id = $1 and ($2::text is null or n.level = $2) and ($3::text is null or n.path = $3) and ${newest}`,
  removeOld: `
    delete from job_reports where attempt_id in (
      select r.attempt_id from job_reports r join retention_days d on d.repository_id = r.repository_id
      where r.read_at is not null and r.created_at < now() - least($1, d.reports_days) * interval '1 day'
      order by r.created_at limit 500
    ) returning attempt_id`,
  addProblem: "update job_reports set problems = problems || $2::jsonb where attempt_id = $1",
  removeSurplus: `
    delete from job_reports where attempt_id in (
      select s.attempt_id from (
        select attempt_id, sum(passed + failed + skipped) over (partition by repository_id order by created_at desc, attempt_id) as results
        from job_reports where passed + failed + skipped > 0
      ) s where s.results > $1 limit 500
    ) returning attempt_id`,
  countWaiting: "select count(*)::int as waiting from job_reports where read_at is null",
});

export type WaitingReports = ReportsRows["takeWaiting"];
export type ReportsRow = ReportsRows["listOfRun"];
export type AnnotationRow = ReportsRows["listAnnotations"];

/** Of a complete upload of this attempt and epoch; false for anything else. May run again. */
export async function record(
  tx: Transaction,
  { attemptId, epoch, id }: { attemptId: string; epoch: number; id: string },
): Promise<boolean> {
  return (await tx.one(statements.record, [attemptId, epoch, id])) !== undefined;
}

/** The oldest that no server reads; others leave it alone for a while. Without a size its upload is gone. */
export function takeWaiting(db: Database): Promise<WaitingReports | undefined> {
  return db.one(statements.takeWaiting);
}

export async function postpone(db: Queryable, attemptId: string, seconds: number): Promise<void> {
  await db.query(statements.postpone, [attemptId, seconds]);
}

/** False where another server was faster, or the run is gone. */
export async function keepFound(
  tx: Transaction,
  { attemptId, pipelineId }: { attemptId: string; pipelineId: string },
  { summary, problems, annotations, tests, coverage }: FoundReports,
): Promise<boolean> {
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const counts = [count("passed"), count("failed"), count("skipped")];
  const ms = tests.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  const values = [attemptId, summary, JSON.stringify(problems), ...counts, ms, ...linesOf(coverage)];
  if (!(await tx.one(statements.finish, values))) return false;
  if (annotations.length > 0)
    await tx.query(statements.addAnnotations, [attemptId, pipelineId, JSON.stringify(annotations)]);
  return true;
}

function linesOf(coverage: FoundReports["coverage"]): [covered: number, total: number] {
  return [
    coverage.reduce((sum, { covered }) => sum + covered, 0),
    coverage.reduce((sum, { total }) => sum + total, 0),
  ];
}

export async function findRun(
  db: Queryable,
  repositoryId: string,
  idOrNumber: string,
): Promise<string | undefined> {
  return (await db.one(statements.findRun, [repositoryId, idOrNumber]))?.id;
}

interface Page {
  page: number;
  per_page: number;
}

const placeOf = ({ page, per_page: size }: Page) => [size, (page - 1) * size];

export async function listOfRun(
  db: Queryable,
  pipelineId: string,
  page: Page,
): Promise<{ rows: ReportsRow[]; total: number }> {
  const [rows, count] = await Promise.all([
    db.query(statements.listOfRun, [pipelineId, ...placeOf(page)]),
    db.one(statements.countOfRun, [pipelineId]),
  ]);
  return { rows, total: count?.total ?? 0 };
}

export async function listAnnotations(
  db: Queryable,
  pipelineId: string,
  { level, path, ...page }: Page & { level?: AnnotationLevel | undefined; path?: string | undefined },
): Promise<{ rows: AnnotationRow[]; total: number }> {
  const wanted = [pipelineId, level ?? null, path ?? null];
  const [rows, count] = await Promise.all([
    db.query(statements.listAnnotations, [...wanted, ...placeOf(page)]),
    db.one(statements.countAnnotations, wanted),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Some of those older than so many days, or as many as their repository says; how many. */
export async function removeOld(db: Queryable, days: number): Promise<number> {
  return (await db.query(statements.removeOld, [days])).length;
}

/** Beside what was found. */
export async function addProblem(tx: Transaction, attemptId: string, problem: FoundProblem): Promise<void> {
  await tx.query(statements.addProblem, [attemptId, JSON.stringify([problem])]);
}

/** Some of the oldest, of repositories with more results of tests than this; how many. */
export async function removeSurplus(db: Queryable, maxResults: number): Promise<number> {
  return (await db.query(statements.removeSurplus, [maxResults])).length;
}

export async function countWaiting(db: Queryable): Promise<number> {
  return (await db.one(statements.countWaiting))?.waiting ?? 0;
}
