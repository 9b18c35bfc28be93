/** Which merged results runs use. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { MergedResultsRows } from "./merged-results.rows.ts";

// Runs of the newest commit can be run again; a new result has no runs for a moment.
const isUnused = `m.created_at < now() - interval '1 hour' and r.id = m.repository_id and r.deleted_at is null
      and not exists (select from pipelines p where p.repository_id = m.repository_id and p.sha = m.sha and p.finished_at is null)
      and not exists (select from merge_request_subjects s
        where s.repository_id = m.repository_id and s.number = m.number and s.is_open and s.head_sha = m.head_sha)`;

export const statements = defineStatements<MergedResultsRows>({
  note: `
    insert into merged_results (repository_id, number, sha, head_sha) values ($1, $2, $3, $4)
    on conflict (repository_id, number, sha) do update set created_at = now()`,
  findUnused: `
    select m.repository_id, m.number, m.sha from merged_results m, repositories r where ${isUnused}
    order by m.created_at limit 200`,
  // It may have come into use since it was found.
  forgetUnused: `
    delete from merged_results m using repositories r
    where m.repository_id = $1 and m.number = $2 and m.sha = $3 and ${isUnused} returning m.sha`,
  listOf: "select repository_id, number, sha from merged_results where repository_id = $1",
  // Where nothing was pushed, nothing was removed.
  findIdle: `
    select m.repository_id, m.number, m.sha from merged_results m join repositories r on r.id = m.repository_id
    where m.created_at < now() - interval '10 minutes' and r.deleted_at is null and r.updated_at > now() - interval '1 hour'
      and not exists (select from pipelines p where p.repository_id = m.repository_id and p.sha = m.sha and p.finished_at is null)
    order by r.updated_at desc limit 200`,
  forget: "delete from merged_results where repository_id = $1 and number = $2 and sha = $3",
  postpone:
    "update merged_results set created_at = now() where repository_id = $1 and number = $2 and sha = $3",
});

export type KeptResult = RowOf<typeof statements.findUnused>;

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

export function findUnused(db: Queryable): Promise<KeptResult[]> {
  return db.query(statements.findUnused);
}

/** Whether it was noted and is still of no use. Whoever notes it again waits for the transaction. */
export async function forgetUnused(
  tx: Transaction,
  { repository_id: id, number, sha }: KeptResult,
): Promise<boolean> {
  return (await tx.one(statements.forgetUnused, [id, number, sha])) !== undefined;
}

export function listResults(db: Queryable, repositoryId: string): Promise<KeptResult[]> {
  return db.query(statements.listOf, [repositoryId]);
}

/** Those that no run uses now, of repositories that have changed lately. */
export function findIdle(db: Queryable): Promise<KeptResult[]> {
  return db.query(statements.findIdle);
}

export async function forgetResult(
  tx: Transaction,
  { repository_id: id, number, sha }: KeptResult,
): Promise<void> {
  await tx.query(statements.forget, [id, number, sha]);
}

/** Others are looked at before it. */
export async function postpone(db: Queryable, { repository_id: id, number, sha }: KeptResult): Promise<void> {
  await db.query(statements.postpone, [id, number, sha]);
}
