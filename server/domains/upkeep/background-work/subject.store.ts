/** The names of the subjects of work, and the intents that wait for Temporal. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SubjectRows } from "./subject.rows.ts";

export const statements = defineStatements<SubjectRows>({
  findSubjects: `
    select p.id, 'repository' as place, n.repository_id as place_id, n.full_name as name, p.number, p.status, p.sequence
      from pipelines p join repository_names n on n.repository_id = p.repository_id
      where p.id = any($1) and n.deleted_at is null
    union all
    select n.repository_id, 'repository', n.repository_id, n.full_name, null, null, null
      from repository_names n where n.repository_id = any($2) and n.deleted_at is null
    union all
    select w.id, 'repository', n.repository_id, n.full_name, null, null, null
      from webhooks w join repository_names n on n.repository_id = w.repository_id
      where w.id = any($3) and n.deleted_at is null
    union all
    select w.id, 'organization', o.id, o.name, null, null, null
      from webhooks w join owners o on o.id = w.organization_id where w.id = any($3)
    union all
    select x.id, 'organization', o.id, o.name, null, null, null
      from audit_exports x join owners o on o.id = x.organization_id where x.id = any($4)
    union all
    select s.id, 'organization', o.id, o.name, null, null, null
      from audit_streams s join owners o on o.id = s.organization_id where s.id = any($4)`,
  countHandover: `
    select count(*) filter (where not parked)::int as waiting, count(*) filter (where parked)::int as refused
    from outbox`,
});

/**
 * `id` is that of the run, the repository, the webhook, or the export or stream; `place` is what that belongs to. What a run has is null for
 * others.
 */
export type SubjectRow = SubjectRows["findSubjects"];

interface SubjectIds {
  pipelines: readonly string[];
  repositories: readonly string[];
  webhooks: readonly string[];
  /** Exports and streams; those of the instance's log have no subject. */
  auditLogs: readonly string[];
}

/** Of those that are there, by id. */
export async function findSubjects(
  db: Queryable,
  { pipelines, repositories, webhooks, auditLogs }: SubjectIds,
): Promise<Map<string, SubjectRow>> {
  const ids = [pipelines, repositories, webhooks, auditLogs];
  if (ids.every((some) => some.length === 0)) return new Map();
  const rows = await db.query(statements.findSubjects, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function countHandover(db: Queryable): Promise<{ waiting: number; refused: number }> {
  const row = await db.one(statements.countHandover);
  return row ?? { waiting: 0, refused: 0 };
}
