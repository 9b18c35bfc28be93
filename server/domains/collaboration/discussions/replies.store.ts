/** Reads and writes replies to discussions of teams. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import { reactionsSql } from "../reactions/columns.store.ts";
import type { RepliesRows } from "./replies.rows.ts";

interface Author {
  /** A function gives it. */
  author: UserSnapshot | null;
}
interface Known {
  /** Why is said there. */
  findReply: Author;
  /** As above. */
  listReplies: Author;
}

/** `viewer` is the parameter of who looks at it. */
const columns = (
  viewer: string,
) => `y.id, y.body, y.author_id, user_snapshot(y.author_id) as author, y.reply_to, y.edited_at, y.created_at,
    y.updated_at, ${reactionsSql("y.id", viewer)}`;

export const statements = defineStatements<RepliesRows, Known>({
  insertReply: `
    insert into team_discussion_replies (id, discussion_id, author_id, body, reply_to) values ($1, $2, $3, $4, $5)`,
  findReply: `select ${columns("$3")} from team_discussion_replies y where y.discussion_id = $1 and y.id = $2`,
  listReplies: `
    select ${columns("$4")} from team_discussion_replies y where y.discussion_id = $1
    order by coalesce(y.reply_to, y.id), y.reply_to is not null, y.id limit $2 offset $3`,
  setBody: `
    update team_discussion_replies set body = $2, edited_at = now(), updated_at = now() where id = $1`,
  deleteReply: "delete from team_discussion_replies where id = $1",
});

export type ReplyRow = RowOf<typeof statements.findReply>;

export interface SeenDiscussion {
  discussionId: string;
  viewerId: string | null;
}

export function findReply(db: Queryable, place: SeenDiscussion, id: string): Promise<ReplyRow | undefined> {
  return db.one(statements.findReply, [place.discussionId, id, place.viewerId]);
}

/** Ids rise with the time. Each is followed by those below it. */
export function listReplies(db: Queryable, place: SeenDiscussion, page: PageQuery): Promise<ReplyRow[]> {
  const { discussionId, viewerId } = place;
  return db.query(statements.listReplies, [discussionId, page.per_page, offsetOf(page), viewerId]);
}
