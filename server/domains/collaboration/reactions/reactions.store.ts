/** Reads and writes rows of `reactions`. */
import type { ReactionName } from "@forgeline/schemas/reactions/resource.ts";
import type { ReactionQuery } from "@forgeline/schemas/reactions/routes.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import { reactionsSql } from "./columns.store.ts";
import type { ReactionsRows } from "./reactions.rows.ts";

interface Known {
  listReactions: {
    /** A function gives it, and whoever reacted exists. */
    user: UserSnapshot;
  };
}

const listed = "from reactions where subject_id = $1 and ($2::text is null or name = $2)";

export const statements = defineStatements<ReactionsRows, Known>({
  // A text that was deleted meanwhile takes none.
  addReaction: `
    insert into reactions (work_item_id, comment_id, discussion_id, reply_id, review_id, user_id, name)
    select s.item, s.comment, s.discussion, s.reply, s.review, $2, $3
    from (select (select id from work_items where id = $1 for key share) as item,
      (select id from comments where id = $1 for key share) as comment,
      (select id from team_discussions where id = $1 for key share) as discussion,
      (select id from team_discussion_replies where id = $1 for key share) as reply,
      (select id from reviews where id = $1 for key share) as review) s
    where num_nonnulls(s.item, s.comment, s.discussion, s.reply, s.review) = 1
    on conflict do nothing`,
  removeReaction: "delete from reactions where subject_id = $1 and user_id = $2 and name = $3",
  listReactions: `
    select name, created_at, user_snapshot(user_id) as user ${listed} order by id limit $3 offset $4`,
  countListed: `select count(*)::int as total ${listed}`,
  countReactions: `select ${reactionsSql("$1", "$2")}`,
});

export type ReactionRow = RowOf<typeof statements.listReactions>;

/** Of one name. */
export type CountedReaction = ReactionsRows["countReactions"]["reactions"][number];

export interface Reacting {
  /** Of the text. */
  subjectId: string;
  userId: string;
  name: ReactionName;
}

/** What is there already stays once. */
export async function addReaction(db: Queryable, { subjectId, userId, name }: Reacting): Promise<void> {
  await db.query(statements.addReaction, [subjectId, userId, name]);
}

export async function removeReaction(db: Queryable, { subjectId, userId, name }: Reacting): Promise<void> {
  await db.query(statements.removeReaction, [subjectId, userId, name]);
}

/** Oldest first. */
export async function listReactions(
  db: Database,
  subjectId: string,
  { name, ...page }: ReactionQuery,
): Promise<{ rows: ReactionRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.query(statements.listReactions, [subjectId, name ?? null, page.per_page, offsetOf(page)]),
    db.one(statements.countListed, [subjectId, name ?? null]),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

export async function countReactions(db: Queryable, subjectId: string, viewerId: string | null) {
  return (await db.one(statements.countReactions, [subjectId, viewerId]))?.reactions ?? [];
}
