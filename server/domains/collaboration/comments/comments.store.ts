/** Reads and writes rows of `comments`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import { reactionsSql } from "../reactions/columns.store.ts";
import type { CommentsRows } from "./comments.rows.ts";

interface Author {
  /** A function gives it. */
  author: UserSnapshot | null;
}
interface Known {
  /** Why is said there. */
  findComment: Author;
  /** As above. */
  listComments: Author;
  /** As above. */
  listOfThread: Author;
  /** As above. */
  firstOfThreads: Author;
}

/** `viewer` is the parameter of who looks at it. */
const columns = (
  viewer: string,
) => `c.id, c.work_item_id, c.body, c.author_id, c.imported_author, c.edited_at, c.created_at, c.updated_at,
    user_snapshot(c.author_id) as author, w.number, w.kind, w.title, w.locked, w.author_id as item_author_id, c.is_pending, c.review_id, c.thread_id,
    t.path, t.line, t.side, t.commit_sha, case when t.id is not null then t.resolved_at is not null end as resolved,
    ${reactionsSql("c.id", viewer)}`;
const from = `from comments c join work_items w on w.id = c.work_item_id
    left join review_threads t on t.id = c.thread_id`;
/** Nobody but their author sees pending ones, whatever the level. */
const seenBy = (viewer: string) => `(not c.is_pending or c.author_id = ${viewer}::text)`;

export const statements = defineStatements<CommentsRows, Known>({
  insertComment: `
    insert into comments (id, work_item_id, repository_id, author_id, body, thread_id, review_id, is_pending)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
  findComment: `select ${columns("$3")} ${from} where c.repository_id = $1 and c.id = $2 and ${seenBy("$3")}`,
  // One that was pending came into the world when its review was submitted.
  listComments: `
    select ${columns("$4")} ${from} where c.work_item_id = $1 and not c.is_pending
    order by c.created_at, c.id limit $2 offset $3`,
  lockComment: `
    select c.id, c.work_item_id from comments c
    where c.repository_id = $1 and c.id = $2 and ${seenBy("$3")} for no key update`,
  listOfThread: `
    select ${columns("$2")} ${from} where c.thread_id = $1 and ${seenBy("$2")}
    order by c.created_at, c.id limit $3 offset $4`,
  countOfThread: `
    select count(*)::int as total from comments c where c.thread_id = $1 and ${seenBy("$2")}`,
  firstOfThreads: `
    select ${columns("$2")} ${from}
    where c.id in (select ranked.id from (
      select c.id, row_number() over (partition by c.thread_id order by c.created_at, c.id) as place
      from comments c where c.thread_id = any ($1::text[]) and ${seenBy("$2")}) ranked where ranked.place <= $3)
    order by c.created_at, c.id`,
  publish: `
    update comments set is_pending = false, created_at = now(), updated_at = now(), edited_at = null
    where review_id = $1 and is_pending returning id, body`,
  removePending: "delete from comments where review_id = $1 and is_pending",
  countPending: "select count(*)::int as total from comments where review_id = $1 and is_pending",
  setBody: "update comments set body = $2, edited_at = now(), updated_at = now() where id = $1",
  deleteComment: "delete from comments where id = $1",
});

export type CommentRow = RowOf<typeof statements.findComment>;

export function findComment(
  db: Queryable,
  repositoryId: string,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<CommentRow | undefined> {
  return db.one(statements.findComment, [repositoryId, id, viewerId]);
}

/** Without pending ones. */
export function listComments(
  db: Queryable,
  { itemId, viewerId }: { itemId: string; viewerId: string | null },
  { page, per_page: perPage }: PageQuery,
): Promise<CommentRow[]> {
  return db.query(statements.listComments, [itemId, perPage, (page - 1) * perPage, viewerId]);
}

export interface NewComment {
  id: string;
  itemId: string;
  repositoryId: string;
  authorId: string;
  body: string;
  thread?: { id: string; reviewId: string | null; isPending: boolean };
}

export async function insertComment(tx: Transaction, comment: NewComment): Promise<void> {
  const { id, itemId, repositoryId, authorId, body, thread } = comment;
  const { id: threadId = null, reviewId = null, isPending = false } = thread ?? {};
  const values = [id, itemId, repositoryId, authorId, body, threadId, reviewId, isPending];
  await tx.query(statements.insertComment, values);
}
