/** Writes what was brought over from another host, with its own numbers, times and authors, and without events for others. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ImportedRows } from "./imported.rows.ts";

export const statements = defineStatements<ImportedRows>({
  reserveNumbers: `
    insert into work_item_numbers (repository_id, last) values ($1, $2)
    on conflict (repository_id) do update set last = greatest(work_item_numbers.last, $2)`,
  insertLabel: `
    insert into labels (id, repository_id, name, color, description) values ($1, $2, $3, $4, $5)
    on conflict do nothing returning id`,
  insertMilestone: `
    insert into milestones (id, repository_id, title, description, due_on, state, closed_at, created_at)
    values ($1, $2, $3, $4, $5::date, $6, $7, $8) on conflict do nothing returning id`,
  insertItem: `
    insert into work_items (id, repository_id, number, kind, title, body, state, state_reason, author_id, imported_author, milestone_id,
      locked, closed_at, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
      (select m.id from milestones m where m.repository_id = $2 and lower(m.title) = lower($11)), $12, $13, $14, $15)
    on conflict (repository_id, number) do nothing returning id`,
  addLabels: `
    insert into work_item_labels (work_item_id, label_id)
    select $1, l.id from labels l where l.repository_id = $2 and lower(l.name) = any ($3::text[]) on conflict do nothing`,
  addAssignees: `
    insert into work_item_assignees (work_item_id, user_id)
    select $1, u.id from users u where u.id = any ($2::text[]) on conflict do nothing`,
  hasOpen: `
    select exists (select 1 from merge_requests m where m.repository_id = $1 and m.source_repository_id = $1 and m.source_branch = $2
      and m.target_branch = $3 and m.is_open) as found`,
  insertMergeRequest: `
    insert into merge_requests (id, repository_id, source_repository_id, source_branch, target_branch, is_open, draft, head_sha,
      target_sha, merge_base_sha, check_due_at, merged_at, merge_sha)
    values ($1, $2, case when $5 then $2 end, $3, $4, $5, $6, $7, $8, $9, case when $5 then now() end, $10, $11)`,
  findItem: `
    select w.id, w.kind, w.comments_count, m.head_sha, m.merge_base_sha, m.is_open
    from work_items w left join merge_requests m on m.id = w.id where w.repository_id = $1 and w.number = $2
      and w.imported_author is not null`,
  nextItem: `
    select min(w.number) as number from work_items w
    where w.repository_id = $1 and w.kind = $2 and w.number > $3 and w.imported_author is not null`,
  insertComment: `
    insert into comments (id, work_item_id, repository_id, author_id, imported_author, body, thread_id, review_id, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  countComment: "update work_items set comments_count = comments_count + 1 where id = $1",
  insertReview: `
    insert into reviews (id, merge_request_id, repository_id, author_id, imported_author, state, body, head_sha, submitted_at,
      dismissed_at, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $6 = 'dismissed' then $9::timestamptz end, $9, $9)`,
  insertReviewed: `
    insert into work_item_events (work_item_id, actor_id, kind, details, created_at)
    values ($1, $2, 'reviewed', jsonb_build_object('review_id', $3::text, 'state', $4::text), $5)`,
  countReviews: "select count(*)::int as count from reviews where merge_request_id = $1",
  countThreads: "select count(*)::int as count from review_threads where merge_request_id = $1",
  insertThread: `
    insert into review_threads (id, merge_request_id, repository_id, author_id, path, side, start_line, line, commit_sha, excerpt,
      current_path, current_start_line, current_line, current_sha, is_outdated, resolved_at, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $5, $7, $8, $9, $11, $12, $13)`,
});

export type ImportedItem = ImportedRows["findItem"];

export async function reserveNumbers(tx: Transaction, repositoryId: string, last: number): Promise<void> {
  if (last > 0) await tx.query(statements.reserveNumbers, [repositoryId, last]);
}

export async function has(
  tx: Transaction,
  statement: "insertLabel" | "insertMilestone",
  values: unknown[],
): Promise<boolean> {
  return (await tx.one(statements[statement], values)) !== undefined;
}

/** One that was brought over: what was opened here may have the number of something else there. */
export function findItem(
  db: Queryable,
  repositoryId: string,
  number: number,
): Promise<ImportedItem | undefined> {
  return db.one(statements.findItem, [repositoryId, number]);
}

/** The next one after this number; undefined where there is none. */
export async function nextItem(
  db: Queryable,
  repositoryId: string,
  { kind, after }: { kind: "issue" | "merge_request"; after: number },
): Promise<number | undefined> {
  return (await db.one(statements.nextItem, [repositoryId, kind, after]))?.number ?? undefined;
}

export async function hasOpen(
  tx: Transaction,
  repositoryId: string,
  { source, target }: { source: string; target: string },
): Promise<boolean> {
  return (await tx.one(statements.hasOpen, [repositoryId, source, target]))?.found === true;
}

/** Of a merge request. */
export async function countOf(tx: Transaction, what: "reviews" | "threads", id: string): Promise<number> {
  const counted = what === "reviews" ? statements.countReviews : statements.countThreads;
  return (await tx.one(counted, [id]))?.count ?? 0;
}

/** False where the number is taken. */
export async function insertItem(tx: Transaction, values: unknown[]): Promise<boolean> {
  return (await tx.one(statements.insertItem, values)) !== undefined;
}
