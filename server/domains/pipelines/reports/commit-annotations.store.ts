/** Annotations of a commit: of each pipeline file, those of the newest run that has reports. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { AnnotationLevel } from "@forgeline/schemas/reports/resource.ts";
import type { CommitAnnotationsRows } from "./commit-annotations.rows.ts";
import { newest } from "./reports.store.ts";

const ofCommit = `(
    select distinct on (p.file) p.id, p.number from job_reports r join pipelines p on p.id = r.pipeline_id
    where r.repository_id = $1 and r.sha = $2 order by p.file, p.number desc
  ) p join annotations n on n.pipeline_id = p.id join job_reports r on r.attempt_id = n.attempt_id`;
const wanted = `($3::text is null or n.level = $3) and ($4::text is null or n.path = $4) and ${newest}`;

export const statements = defineStatements<CommitAnnotationsRows>({
  list: `
    select p.id as pipeline_id, p.number as pipeline_number, j.id as job_id, j.key, j.name, j.matrix, s.name as step_name,
      n.level, n.path, n.line, n.end_line, n.title, n.message, n.source
    from ${ofCommit} join jobs j on j.id = r.job_id
    left join steps s on s.attempt_id = n.attempt_id and s.position = n.step
    where ${wanted}
    order by array_position(array['error', 'warning', 'notice'], n.level), p.number, j.position, j.combination, n.position
    limit $5 offset $6`,
  count: `select count(*)::int as total from ${ofCommit} where ${wanted}`,
});

export type CommitAnnotationRow = CommitAnnotationsRows["list"];

export interface WantedAnnotations {
  repositoryId: string;
  sha: string;
  level: AnnotationLevel | undefined;
  path: string | undefined;
}

/** A page of them, the gravest first. */
export async function listCommitAnnotations(
  db: Queryable,
  { repositoryId, sha, level, path }: WantedAnnotations,
  { page, per_page: size }: { page: number; per_page: number },
): Promise<{ rows: CommitAnnotationRow[]; total: number }> {
  const values = [repositoryId, sha, level ?? null, path ?? null];
  const [rows, count] = await Promise.all([
    db.query(statements.list, [...values, size, (page - 1) * size]),
    db.one(statements.count, values),
  ]);
  return { rows, total: count?.total ?? 0 };
}
