/** The names of what work is about, and what waits to be handed to Temporal. */
import type { Queryable } from "../../../platform/db/database.ts";

export interface SubjectRow {
  /** Of the run, or of the repository. */
  id: string;
  repository: string;
  number: number | null;
  status: string | null;
  sequence: number | null;
}

/** Of runs and repositories that are there, by id. */
export async function findSubjects(
  db: Queryable,
  { pipelines, repositories }: { pipelines: readonly string[]; repositories: readonly string[] },
): Promise<Map<string, SubjectRow>> {
  if (pipelines.length + repositories.length === 0) return new Map();
  const rows = await db.query<SubjectRow>(
    `select p.id, o.name || '/' || r.name as repository, p.number, p.status, p.sequence
       from pipelines p join repositories r on r.id = p.repository_id join owners o on o.id = r.owner_id
       where p.id = any($1) and r.deleted_at is null
     union all
     select r.id, o.name || '/' || r.name, null, null, null
       from repositories r join owners o on o.id = r.owner_id where r.id = any($2) and r.deleted_at is null`,
    [pipelines, repositories],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function countHandover(db: Queryable): Promise<{ waiting: number; refused: number }> {
  const row = await db.one<{ waiting: number; refused: number }>(
    `select count(*) filter (where not parked)::int as waiting, count(*) filter (where parked)::int as refused from outbox`,
  );
  return row ?? { waiting: 0, refused: 0 };
}
