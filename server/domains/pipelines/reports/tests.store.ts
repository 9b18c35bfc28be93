/** Rows of `tests` and `test_results`. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { newest } from "./reports.store.ts";
import type { TestsRows } from "./tests.rows.ts";

/** Of a test with both outcomes on one commit. */
const flakyFor = "interval '30 days'";
/** Compared attempts of one commit: a commit that is tested every night has many. */
const comparedAttempts = 20;
const record = `t.id, t.suite, t.name, t.results, t.failures, t.typical_ms, t.seen_at, t.flaky_sha,
  case when t.flaky_at > now() - ${flakyFor} then t.flaky_at end as flaky_at, t.quarantined_at, t.quarantine_reason,
  u.username as quarantined_by`;
const tests = "tests t left join users u on u.id = t.quarantined_by";
const chosen = `t.repository_id = $1
  and case $2::text when 'flaky' then t.flaky_at > now() - ${flakyFor} when 'quarantined' then t.quarantined_at is not null else true end
  and ($3::text is null or strpos(lower(t.suite || ' ' || t.name), lower($3)) > 0)`;
const ofRun = `job_reports r join jobs j on j.id = r.job_id join test_results x on x.attempt_id = r.attempt_id
  join tests t on t.id = x.test_id
  where r.pipeline_id = $1 and ($2::text is null or x.status = $2)
    and ($3::text is null or strpos(lower(t.suite || ' ' || t.name), lower($3)) > 0) and ${newest}`;

export const statements = defineStatements<TestsRows>({
  count: "select count(*)::int as total from tests where repository_id = $1",
  // In one order, so that no two reports wait for each other.
  addTests: `
    insert into tests (id, repository_id, name_hash, suite, name, results, failures, typical_ms)
    select f.id, $1, decode(f.hash, 'hex'), f.suite, f.name, f.results, f.failures, f.ms
    from jsonb_to_recordset($2::jsonb) as f(id text, hash text, suite text, name text, results int, failures int, ms int)
    where $3::boolean or exists (select from tests k where k.repository_id = $1 and k.name_hash = decode(f.hash, 'hex'))
    order by f.hash
    on conflict (repository_id, name_hash) do update set seen_at = now(), results = tests.results + excluded.results,
      failures = tests.failures + excluded.failures,
      typical_ms = case when excluded.typical_ms is null or tests.typical_ms is null
        then coalesce(excluded.typical_ms, tests.typical_ms)
        else round(0.8 * tests.typical_ms + 0.2 * excluded.typical_ms)::int end`,
  addResults: `
    insert into test_results (attempt_id, position, test_id, status, duration_ms, message, details)
    select $1, f.position, t.id, f.status, f.ms, f.message, f.details
    from jsonb_to_recordset($3::jsonb)
      as f(position int, hash text, status text, ms int, message text, details text)
    join tests t on t.repository_id = $2 and t.name_hash = decode(f.hash, 'hex')`,
  markFlaky: `
    with mine as (
      select x.test_id, bool_or(x.status = 'passed') as passed, bool_or(x.status = 'failed') as failed
      from test_results x where x.attempt_id = $1 and x.status <> 'skipped' group by x.test_id
    ), others as (
      select o.attempt_id from job_reports r join job_reports o on o.repository_id = r.repository_id and o.sha = r.sha
        and o.job_key = r.job_key and o.combination = r.combination and o.attempt_id <> r.attempt_id
      where r.attempt_id = $1 order by o.created_at desc limit ${comparedAttempts}
    ), mixed as (
      select m.test_id from mine m where m.passed and m.failed
      union
      select m.test_id from mine m join test_results x on x.test_id = m.test_id join others o on o.attempt_id = x.attempt_id
      where (m.passed and x.status = 'failed') or (m.failed and x.status = 'passed')
    )
    update tests t set flaky_at = now(), flaky_sha = r.sha from mixed m, job_reports r
    where t.id = m.test_id and r.attempt_id = $1`,
  listOfRun: `
    select t.id as test_id, t.suite, t.name as test_name, x.status, x.duration_ms, x.message, x.details,
      coalesce(t.flaky_at > now() - ${flakyFor}, false) as flaky, t.quarantined_at is not null as quarantined,
      j.id as job_id, j.key, j.name, j.matrix
    from ${ofRun}
    order by array_position(array['failed', 'skipped', 'passed'], x.status), t.quarantined_at is not null, j.position,
      j.combination, x.position limit $4 offset $5`,
  countOfRun: `select count(*)::int as total from ${ofRun}`,
  // Does not look each test up, as only a search needs its name.
  countAllOfRun: `
    select count(*)::int as total from job_reports r join test_results x on x.attempt_id = r.attempt_id
    where r.pipeline_id = $1 and ($2::text is null or x.status = $2) and ${newest}`,
  list: `
    select ${record} from ${tests} where ${chosen}
    order by case $4::text when 'slowest' then t.typical_ms when 'failures' then t.failures end desc nulls last,
      case $2::text when 'flaky' then t.flaky_at when 'quarantined' then t.quarantined_at end desc nulls last, t.suite, t.name, t.id
    limit $5 offset $6`,
  countChosen: `select count(*)::int as total from tests t where ${chosen}`,
  find: `select ${record} from ${tests} where t.repository_id = $1 and t.id = $2`,
  listResults: `
    select x.status, x.duration_ms, x.message, x.details, r.created_at, r.sha, p.id as pipeline_id, p.number, p.ref, a.attempt,
      j.id as job_id, j.key, j.name, j.matrix
    from test_results x join job_reports r on r.attempt_id = x.attempt_id join pipelines p on p.id = r.pipeline_id
    join job_attempts a on a.id = r.attempt_id join jobs j on j.id = r.job_id
    where x.test_id = $1 order by r.created_at desc, x.position limit $2 offset $3`,
  countResults: "select count(*)::int as total from test_results x where x.test_id = $1",
  quarantine: `
    update tests set quarantined_at = coalesce(quarantined_at, now()), quarantined_by = $3, quarantine_reason = $4
    where repository_id = $1 and id = $2 returning suite, name`,
  release: `
    update tests set quarantined_at = null, quarantined_by = null, quarantine_reason = null
    where repository_id = $1 and id = $2 and quarantined_at is not null returning suite, name`,
  removeUnseen: `
    delete from tests where id in (
      select t.id from tests t where t.quarantined_at is null and t.seen_at < now() - $1 * interval '1 day'
        and not exists (select from test_results x where x.test_id = t.id) limit 1000
    ) returning id`,
});

export type RunTestRow = TestsRows["listOfRun"];
export type TestRow = TestsRows["find"];
export type TestResultRow = TestsRows["listResults"];

export interface NewTest {
  id: string;
  /** SHA-256 of its suite and name, in hexadecimal. */
  hash: string;
  suite: string;
  name: string;
  results: number;
  failures: number;
  ms: number | null;
}

export interface NewResult {
  position: number;
  hash: string;
  status: "passed" | "failed" | "skipped";
  ms: number | null;
  message: string | null;
  details: string | null;
}

export async function countTests(db: Queryable, repositoryId: string): Promise<number> {
  return (await db.one(statements.count, [repositoryId]))?.total ?? 0;
}

/** Counts known ones up; others are added where there is room for them. Each once. */
export async function addTests(
  tx: Transaction,
  repositoryId: string,
  { tests: added, mayAdd }: { tests: readonly NewTest[]; mayAdd: boolean },
): Promise<void> {
  await tx.query(statements.addTests, [repositoryId, JSON.stringify(added), mayAdd]);
}

/** Of tests that are there; others are left out. */
export async function addResults(
  tx: Transaction,
  { attemptId, repositoryId }: { attemptId: string; repositoryId: string },
  results: readonly NewResult[],
): Promise<void> {
  await tx.query(statements.addResults, [attemptId, repositoryId, JSON.stringify(results)]);
}

/** Tests of the attempt that also had the other outcome: in it, or in another attempt of the same job on the same commit. */
export async function markFlaky(tx: Transaction, attemptId: string): Promise<void> {
  await tx.query(statements.markFlaky, [attemptId]);
}

interface Page {
  page: number;
  per_page: number;
}

const placeOf = ({ page, per_page: size }: Page) => [size, (page - 1) * size];

export async function listOfRun(
  db: Queryable,
  pipelineId: string,
  { status, q, ...page }: Page & { status?: string | undefined; q?: string | undefined },
): Promise<{ rows: RunTestRow[]; total: number }> {
  const wanted = [pipelineId, status ?? null, q ?? null];
  const [rows, count] = await Promise.all([
    db.query(statements.listOfRun, [...wanted, ...placeOf(page)]),
    q === undefined
      ? db.one(statements.countAllOfRun, wanted.slice(0, 2))
      : db.one(statements.countOfRun, wanted),
  ]);
  return { rows, total: count?.total ?? 0 };
}

export async function list(
  db: Queryable,
  repositoryId: string,
  { only, q, sort, ...page }: Page & { only?: string | undefined; q?: string | undefined; sort: string },
): Promise<{ rows: TestRow[]; total: number }> {
  const wanted = [repositoryId, only ?? null, q ?? null];
  const [rows, count] = await Promise.all([
    db.query(statements.list, [...wanted, sort, ...placeOf(page)]),
    db.one(statements.countChosen, wanted),
  ]);
  return { rows, total: count?.total ?? 0 };
}

export function find(db: Queryable, repositoryId: string, id: string): Promise<TestRow | undefined> {
  return db.one(statements.find, [repositoryId, id]);
}

/** The newest first. */
export async function listResults(
  db: Queryable,
  testId: string,
  page: Page,
): Promise<{ rows: TestResultRow[]; total: number }> {
  const [rows, count] = await Promise.all([
    db.query(statements.listResults, [testId, ...placeOf(page)]),
    db.one(statements.countResults, [testId]),
  ]);
  return { rows, total: count?.total ?? 0 };
}

export interface TestName {
  suite: string;
  name: string;
}

/** Undefined where there is no such test. */
export function quarantine(
  tx: Transaction,
  repositoryId: string,
  { id, userId, reason }: { id: string; userId: string | null; reason: string | null },
): Promise<TestName | undefined> {
  return tx.one(statements.quarantine, [repositoryId, id, userId, reason]);
}

/** Undefined where it is not in quarantine. */
export function release(tx: Transaction, repositoryId: string, id: string): Promise<TestName | undefined> {
  return tx.one(statements.release, [repositoryId, id]);
}

/** Some of those that have no results any more; how many. */
export async function removeUnseen(db: Queryable, days: number): Promise<number> {
  return (await db.query(statements.removeUnseen, [days])).length;
}
