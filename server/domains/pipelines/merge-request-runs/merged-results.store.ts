/** Which merged results runs use. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { MergedResultsRows } from "./merged-results.rows.ts";

export const statements = defineStatements<MergedResultsRows>({
  note: `
    insert into merged_results (repository_id, number, sha, head_sha) values ($1, $2, $3, $4)
    on conflict (repository_id, number, sha) do update set created_at = now()`,
  // Runs of the newest commit can be run again; a new result has no runs for a moment.
  findUnused: `
    select m.repository_id, m.number, m.sha from merged_results m join repositories r on r.id = m.repository_id
    where m.created_at < now() - interval '1 hour' and r.deleted_at is null
      and not exists (select from pipelines p where p.repository_id = m.repository_id and p.sha = m.sha and p.finished_at is null)
      and not exists (select from merge_request_subjects s
        where s.repository_id = m.repository_id and s.number = m.number and s.is_open and s.head_sha = m.head_sha)
    order by m.created_at limit 200`,
  forget: "delete from merged_results where repository_id = $1 and number = $2 and sha = $3",
});

export type UnusedResult = RowOf<typeof statements.findUnused>;

interface Place {
  repositoryId: string;
  number: number;
}

export async function noteResult(
  db: Queryable,
  { repositoryId, number }: Place,
  { sha, head }: { sha: string; head: string },
): Promise<void> {
  await db.query(statements.note, [repositoryId, number, sha, head]);
}

export function findUnused(db: Queryable): Promise<UnusedResult[]> {
  return db.query(statements.findUnused);
}

export async function forgetResult(
  db: Queryable,
  { repositoryId, number }: Place,
  sha: string,
): Promise<void> {
  await db.query(statements.forget, [repositoryId, number, sha]);
}
