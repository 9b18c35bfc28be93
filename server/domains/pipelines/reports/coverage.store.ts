/** Coverage: rows of `coverage_files`, and sums of those of `job_reports`. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { CoverageRows } from "./coverage.rows.ts";
import type { FoundCoverage } from "./parse/found.ts";
import { newest } from "./reports.store.ts";

const ofRun = `job_reports r join jobs j on j.id = r.job_id join coverage_files f on f.attempt_id = r.attempt_id
  where r.pipeline_id = $1 and ${newest}`;
const ofRuns = `job_reports r join pipelines p on p.id = r.pipeline_id
  where r.repository_id = $1 and p.ref = $2 and r.lines_total > 0 and ${newest}`;

export const statements = defineStatements<CoverageRows>({
  addFiles: `
    insert into coverage_files (attempt_id, position, path, lines_covered, lines_total)
    select $1, f.at - 1, f.path, f.covered, f.total
    from rows from (jsonb_to_recordset($2::jsonb) as (path text, covered int, total int)) with ordinality
      as f(path, covered, total, at)`,
  listFiles: `
    select f.path, f.lines_covered, f.lines_total, j.id as job_id, j.key, j.name, j.matrix
    from ${ofRun} order by f.lines_total - f.lines_covered desc, f.path, f.position limit $2 offset $3`,
  countFiles: `select count(*)::int as total from ${ofRun}`,
  listRuns: `
    select p.id, p.number, p.sha, p.ref, max(r.created_at)::timestamptz as at, sum(r.lines_covered)::int as lines_covered,
      sum(r.lines_total)::int as lines_total
    from ${ofRuns} group by p.id order by p.number desc limit $3 offset $4`,
  countRuns: `select count(distinct p.id)::int as total from ${ofRuns}`,
});

export type CoverageFileRow = CoverageRows["listFiles"];
export type CoverageRunRow = CoverageRows["listRuns"];

export async function addCoverage(
  tx: Transaction,
  attemptId: string,
  files: readonly FoundCoverage[],
): Promise<void> {
  if (files.length > 0) await tx.query(statements.addFiles, [attemptId, JSON.stringify(files)]);
}

interface Page {
  page: number;
  per_page: number;
}

const placeOf = ({ page, per_page: size }: Page) => [size, (page - 1) * size];

/** Those with the most lines that are not covered first. */
export async function listFiles(
  db: Queryable,
  pipelineId: string,
  page: Page,
): Promise<{ rows: CoverageFileRow[]; total: number }> {
  const [rows, count] = await Promise.all([
    db.query(statements.listFiles, [pipelineId, ...placeOf(page)]),
    db.one(statements.countFiles, [pipelineId]),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Runs of a branch or tag with coverage, the newest first. */
export async function listRuns(
  db: Queryable,
  of: { repositoryId: string; ref: string },
  page: Page,
): Promise<{ rows: CoverageRunRow[]; total: number }> {
  const wanted = [of.repositoryId, of.ref];
  const [rows, count] = await Promise.all([
    db.query(statements.listRuns, [...wanted, ...placeOf(page)]),
    db.one(statements.countRuns, wanted),
  ]);
  return { rows, total: count?.total ?? 0 };
}
