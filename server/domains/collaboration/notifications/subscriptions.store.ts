/** Reads and writes what people want to be told of. */
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { SubscriptionsRows } from "./subscriptions.rows.ts";

type Chosen = "watching" | "custom" | "muted";

interface Known {
  /** Its check has no others; only the kinds of the contract are written. */
  findRepository: { level: Chosen; kinds: ("issues" | "merge_requests")[] };
  /** As above; conditions of columns that are never null, and the reasons that the check of the table lists. */
  findItem: {
    kind: "issue" | "merge_request";
    level: Chosen | null;
    kinds: string[];
    is_author: boolean;
    is_assignee: boolean;
    is_reviewer: boolean;
    has_commented: boolean;
    thread: "subscribed" | "muted" | null;
    thread_reason: "manual" | "mention" | null;
  };
}

export const statements = defineStatements<SubscriptionsRows, Known>({
  findRepository:
    "select level, kinds from repository_subscriptions where repository_id = $1 and user_id = $2",
  putRepository: `
    insert into repository_subscriptions (repository_id, user_id, level, kinds) values ($1, $2, $3, $4::text[])
    on conflict (repository_id, user_id) do update set level = excluded.level, kinds = excluded.kinds, updated_at = now()`,
  watchOwn: `
    insert into repository_subscriptions (repository_id, user_id, level)
    select $1, u.id, 'watching' from users u left join notification_settings s on s.user_id = u.id
    where u.id = $2 and u.type = 'user' and coalesce(s.auto_watch, true) on conflict do nothing`,
  removeRepository: "delete from repository_subscriptions where repository_id = $1 and user_id = $2",
  findItem: `
    select w.id, w.kind, coalesce(w.author_id = $4, false) as is_author,
      exists (select 1 from work_item_assignees wa where wa.work_item_id = w.id and wa.user_id = $4) as is_assignee,
      exists (select 1 from told_texts tt where tt.id = w.id and $4 = any (tt.reviewer_ids)) as is_reviewer,
      exists (select 1 from comments c where c.work_item_id = w.id and c.author_id = $4 and not c.is_pending) as has_commented,
      s.state as thread, s.reason as thread_reason, rs.level, coalesce(rs.kinds, '{}') as kinds,
      n.id as notification_id, n.unread
    from work_items w
      left join work_item_subscriptions s on s.work_item_id = w.id and s.user_id = $4
      left join repository_subscriptions rs on rs.repository_id = w.repository_id and rs.user_id = $4
      left join notifications n on n.work_item_id = w.id and n.user_id = $4
    where w.repository_id = $1 and w.number = $2 and w.kind = $3`,
  muteIfThere: `
    insert into work_item_subscriptions (work_item_id, user_id, state, reason)
    select w.id, u.id, 'muted', 'manual' from work_items w, users u where w.id = $1 and u.id = $2
    on conflict (work_item_id, user_id) do update set state = excluded.state, reason = 'manual'`,
  putItem: `
    insert into work_item_subscriptions (work_item_id, user_id, state, reason) values ($1, $2, $3, 'manual')
    on conflict (work_item_id, user_id) do update set state = excluded.state, reason = 'manual'`,
});

export type ItemFacts = RowOf<typeof statements.findItem>;

export interface ItemPlace {
  repositoryId: string;
  number: number;
  kind: "issue" | "merge_request";
  userId: string;
}

export function findItem(
  db: Queryable,
  { repositoryId, number, kind, userId }: ItemPlace,
): Promise<ItemFacts | undefined> {
  return db.one(statements.findItem, [repositoryId, number, kind, userId]);
}

export async function putRepository(
  db: Database,
  place: { repositoryId: string; userId: string },
  { level, kinds }: { level: Chosen; kinds: readonly string[] },
): Promise<void> {
  await db.query(statements.putRepository, [place.repositoryId, place.userId, level, kinds]);
}
