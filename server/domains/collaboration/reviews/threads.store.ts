/** Reads and writes rows of `review_threads`. */
import type { ThreadQuery } from "@forgeline/schemas/threads/routes.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import type { ThreadsRows } from "./threads.rows.ts";

interface Shown {
  /** A function gives it. */
  resolved_by: UserSnapshot | null;
  /** Not before it was created, which is never null. */
  updated_at: Date;
}
interface Known {
  /** Why is said there. */
  findThread: Shown;
  /** As above. */
  listThreads: Shown;
}

const seenBy = (viewer: string) => `(not c.is_pending or c.author_id = ${viewer}::text)`;
const counted = (viewer: string) =>
  `(select count(*)::int from comments c where c.thread_id = t.id and ${seenBy(viewer)}) as comments_count,
    greatest(t.created_at, t.resolved_at,
      (select max(c.updated_at) from comments c where c.thread_id = t.id and ${seenBy(viewer)})) as updated_at`;
const columns = `t.id, t.merge_request_id, t.repository_id, t.author_id, t.path, t.side, t.start_line, t.line, t.commit_sha, t.excerpt,
    t.current_path, t.current_start_line, t.current_line, t.current_sha, t.is_outdated, t.resolved_at, t.created_at,
    user_snapshot(t.resolved_by) as resolved_by, w.number, w.author_id as proposer_id, w.locked,
    not exists (select 1 from comments c where c.thread_id = t.id and not c.is_pending) as is_pending`;
const from =
  "from review_threads t join merge_requests m on m.id = t.merge_request_id join work_items w on w.id = m.id";
// One of which all comments are somebody else's pending ones is not there.
const visible = (viewer: string) =>
  `exists (select 1 from comments c where c.thread_id = t.id and ${seenBy(viewer)})`;
const filtered = `t.merge_request_id = $1 and ${visible("$2")}
    and ($3::boolean is null or (t.resolved_at is not null) = $3) and ($4::text is null or t.current_path = $4)
    and ($5::boolean is null or t.is_outdated = $5)`;

export const statements = defineStatements<ThreadsRows, Known>({
  findThread: `
    select ${columns}, ${counted("$4")} ${from}
    where t.repository_id = $1 and w.number = $2 and t.id = $3 and ${visible("$4")}`,
  lockThread: "select t.id from review_threads t where t.id = $1 for update",
  holdThread: "select t.id from review_threads t where t.id = $1 for key share",
  listThreads: `
    select ${columns}, ${counted("$2")} ${from} where ${filtered} order by t.id limit $6 offset $7`,
  countThreads: `select count(*)::int as total from review_threads t where ${filtered}`,
  countAll: "select count(*)::int as total from review_threads t where t.merge_request_id = $1",
  countOwn: `
    select count(*)::int as total from review_threads t where t.merge_request_id = $1 and t.author_id = $2`,
  insertThread: `
    insert into review_threads (id, merge_request_id, repository_id, author_id, path, side, start_line, line, commit_sha, excerpt,
      current_path, current_start_line, current_line, current_sha)
    select $1, m.id, m.repository_id, $3, $4, $5, $6, $7, $8, $9, $4, $6, $7, $8 from merge_requests m where m.id = $2
    returning $8 is distinct from (select case when $5 = 'new' then m.head_sha else m.merge_base_sha end
      from merge_requests m where m.id = $2) as is_behind`,
  setResolved: `
    update review_threads set resolved_at = case when $2::boolean then now() end, resolved_by = case when $2::boolean then $3 end
    where id = $1`,
  removeEmpty: `
    delete from review_threads t where t.id = $1 and not exists (select 1 from comments c where c.thread_id = t.id)`,
  removeAllEmpty: `
    delete from review_threads t
    where t.merge_request_id = $1 and not exists (select 1 from comments c where c.thread_id = t.id)`,
  toFollow: `
    select t.id, t.side, t.current_path, t.current_start_line, t.current_line, t.current_sha from review_threads t
    where t.merge_request_id = $1 and not t.is_outdated
      and t.current_sha <> case when t.side = 'new' then $2 else coalesce($3, t.current_sha) end
    order by t.id limit 1000`,
  moveThreads: `
    update review_threads t set current_path = p.path, current_start_line = p.start_line, current_line = p.line, current_sha = $2
    from jsonb_to_recordset($3::jsonb) as p (id text, path text, start_line integer, line integer)
    where t.id = p.id and t.current_sha = $1`,
  outdateThreads: `
    update review_threads set is_outdated = true where id = any ($2::text[]) and current_sha = $1`,
});

export type ThreadRow = RowOf<typeof statements.findThread>;

/** One whose comments are all pending only for their author. */
export function findThread(
  db: Queryable,
  repositoryId: string,
  { number, id, viewerId }: { number: number; id: string; viewerId: string | null },
): Promise<ThreadRow | undefined> {
  return db.one(statements.findThread, [repositoryId, number, id, viewerId]);
}

export async function listThreads(
  db: Queryable,
  { mergeRequestId, viewerId }: { mergeRequestId: string; viewerId: string | null },
  { state, path, outdated, page, per_page: perPage }: ThreadQuery,
): Promise<{ rows: ThreadRow[]; total: number }> {
  const isResolved = state === "all" ? null : state === "resolved";
  const isOutdated = outdated === undefined ? null : outdated === "true";
  const filter = [mergeRequestId, viewerId, isResolved, path ?? null, isOutdated];
  const [rows, total] = await Promise.all([
    db.query(statements.listThreads, [...filter, perPage, (page - 1) * perPage]),
    db.one(statements.countThreads, filter),
  ]);
  return { rows, total: total?.total ?? 0 };
}

export interface NewThread {
  id: string;
  mergeRequestId: string;
  authorId: string;
  path: string;
  side: "old" | "new";
  startLine: number | null;
  line: number | null;
  /** Where the lines were counted. */
  sha: string;
  excerpt: string;
}

/** Whether the branches have moved on from where its lines were counted. */
export async function insertThread(tx: Transaction, thread: NewThread): Promise<boolean> {
  const { id, mergeRequestId, authorId, path, side, startLine, line, sha, excerpt } = thread;
  const values = [id, mergeRequestId, authorId, path, side, startLine, line, sha, excerpt];
  return (await tx.one(statements.insertThread, values))?.is_behind ?? false;
}

/** False where it is gone. Others that change it, or reply, wait until the transaction ends. */
export async function lockThread(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.one(statements.lockThread, [id])) !== undefined;
}

/** False where it is gone. It stays until the transaction ends. */
export async function holdThread(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.one(statements.holdThread, [id])) !== undefined;
}
