/** Reads and writes rows of `comments`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
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
}

const columns = `c.id, c.work_item_id, c.body, c.author_id, c.edited_at, c.created_at, c.updated_at,
    user_snapshot(c.author_id) as author, w.number, w.kind, w.title, w.locked`;
const from = "from comments c join work_items w on w.id = c.work_item_id";

export const statements = defineStatements<CommentsRows, Known>({
  insertComment: `
    insert into comments (id, work_item_id, repository_id, author_id, body) values ($1, $2, $3, $4, $5)`,
  findComment: `select ${columns} ${from} where c.repository_id = $1 and c.id = $2`,
  listComments: `select ${columns} ${from} where c.work_item_id = $1 order by c.id limit $2 offset $3`,
  lockComment: `
    select c.id, c.work_item_id from comments c where c.repository_id = $1 and c.id = $2 for no key update`,
  setBody: "update comments set body = $2, edited_at = now(), updated_at = now() where id = $1",
  deleteComment: "delete from comments where id = $1",
});

export type CommentRow = RowOf<typeof statements.findComment>;

export function findComment(
  db: Queryable,
  repositoryId: string,
  id: string,
): Promise<CommentRow | undefined> {
  return db.one(statements.findComment, [repositoryId, id]);
}

/** Ids rise with the time. */
export function listComments(
  db: Queryable,
  itemId: string,
  { page, per_page: perPage }: PageQuery,
): Promise<CommentRow[]> {
  return db.query(statements.listComments, [itemId, perPage, (page - 1) * perPage]);
}

export interface NewComment {
  id: string;
  itemId: string;
  repositoryId: string;
  authorId: string;
  body: string;
}

export async function insertComment(tx: Transaction, comment: NewComment): Promise<void> {
  const { id, itemId, repositoryId, authorId, body } = comment;
  await tx.query(statements.insertComment, [id, itemId, repositoryId, authorId, body]);
}
