/** Whom there is to tell of an event, in batches, and what they are told. */
import { notificationReasons, type NotificationReason } from "@forgeline/schemas/notifications/resource.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql, visibleSql } from "../../policy/domain.ts";
import { approvalRequested } from "./columns.store.ts";
import type { TellingRows } from "./telling.rows.ts";

interface Known {
  /** Its check has no others; conditions of columns that are never null. */
  listPeople: {
    thread: "subscribed" | "muted" | null;
    level: "watching" | "custom" | "muted" | null;
    may_read: boolean;
    mentioned: boolean;
    team_mentioned: boolean;
    newly_assigned: boolean;
    newly_asked: boolean;
    team_asked: boolean;
    is_asker: boolean;
    is_author: boolean;
    is_assignee: boolean;
    is_reviewer: boolean;
    has_commented: boolean;
    kinds: string[];
  };
  /** The two that exist. */
  takeDue: { kind: "issue" | "merge_request" };
}

const mayRead = `${levelSql({ repository: "r", user: "u.id", admin: "u.is_admin" })} is not null`;
const seesTeam = visibleSql({
  team: "t",
  user: "a.id",
  owner: `(a.is_admin or exists (select 1 from organization_members om
    where om.organization_id = t.organization_id and om.user_id = a.id and om.role = 'owner'))`,
});
const inTeam = (list: string) => `exists (select 1 from team_members tm join teams d on d.id = tm.team_id
      where tm.user_id = u.id and d.lineage && t.${list})`;
const hasReviewed = `exists (select 1 from reviews rv join merge_requests m on m.id = rv.merge_request_id
      where rv.merge_request_id = w.id and rv.author_id = u.id and rv.state in ('commented', 'approved', 'changes_requested')
        and rv.head_sha = m.head_sha)`;
const isOther = "u.id is distinct from w.author_id";
// Whoever somebody asks by name is told even after a review of this commit: another look is wanted.
// However often they are asked, taken off the list and asked again. Code owners come back as the changes do, with nobody's doing.
const isTold = `exists (select 1 from notifications told where told.user_id = u.id and told.work_item_id = w.id
      and told.review_asked_at > now() - case when t.actor_id is null then interval '1 day' else interval '10 minutes' end)`;
const isAsked = `(${isOther} and u.id = any (t.reviewer_ids) and t.actor_id is not null and not ${isTold})`;
const isTeamAsked = `(${isOther} and (u.id = any (t.reviewer_ids) or ${inTeam("asked_team_ids")}) and not ${hasReviewed}
      and not ${isTold})`;
const isReviewer = "select 1 from told_texts tt where tt.id = w.id and u.id = any (tt.reviewer_ids)";
const strength = (reason: string) =>
  `array_position(array[${notificationReasons.map((one) => `'${one}'`).join(", ")}], ${reason})`;

const n = "notifications";
/** An entry that asks for an approval says so until nothing waits, whatever else happens. */
const isAwaiting = `${n}.reason = '${approvalRequested}' and ${n}.done_at is null`;
const isRequest = `excluded.reason = '${approvalRequested}'`;
const stronger = (reason: string) =>
  `case when ${strength(reason)} < ${strength("excluded.reason")} then ${reason} else excluded.reason end`;
/** What it is to say after that: the news in it that is not about the approval. */
const otherwise = (column: string, added: string) => `otherwise_${column} = case
        when ${isRequest} then case when ${isAwaiting} then ${n}.otherwise_${column} when ${n}.unread then ${n}.${column} end
        when ${isAwaiting} then ${added} end`;

export const statements = defineStatements<TellingRows, Known>({
  readTold: "select id, mentions, assignee_ids, reviewer_ids from told_texts where id = any ($1::text[])",
  writeTold: `
    insert into told_texts (id, work_item_id, mentions, assignee_ids, reviewer_ids)
    select n.id, n.item_id, n.mentions, n.assignees, n.reviewers
    from jsonb_to_recordset($1::jsonb) as n (id text, item_id text, mentions text[], assignees text[], reviewers text[])
      join work_items w on w.id = n.item_id
    on conflict (id) do update set mentions = excluded.mentions, assignee_ids = excluded.assignee_ids,
      reviewer_ids = excluded.reviewer_ids`,
  findUsers: `
    select u.id from owners o join users u on u.id = o.id
    where lower(o.name) = any ($1::text[]) and u.type = 'user' and not u.suspended`,
  // Teams are visible to members of their organization alone.
  findTeams: `
    select t.id from unnest($1::text[], $2::text[]) as named (organization, path)
      join owners o on lower(o.name) = named.organization
      join teams t on t.organization_id = o.id and lower(t.path) = named.path join users a on a.id = $3
    where (a.is_admin or exists (select 1 from organization_members am
      where am.organization_id = t.organization_id and am.user_id = a.id)) and ${seesTeam}`,
  insertTellings: `
    insert into tellings (position, repository_id, work_item_id, text_id, actor_id, event, only_named, mentioned_ids, team_ids,
      assignee_ids, reviewer_ids, asked_team_ids, asker_ids)
    select n.position, w.repository_id, w.id, n.text_id, u.id, n.event, n.only_named, n.mentioned, n.teams, n.assignees, n.reviewers,
      n.asked_teams, n.askers
    from jsonb_to_recordset($1::jsonb) as n (position bigint, item_id text, text_id text, actor_id text, event text, only_named boolean,
        mentioned text[], teams text[], assignees text[], reviewers text[], asked_teams text[], askers text[])
      join work_items w on w.id = n.item_id left join users u on u.id = n.actor_id
    on conflict do nothing`,
  takeDue: `
    select t.position, t.event, t.only_named, t.told_up_to, t.attempts, w.kind
    from tellings t join work_items w on w.id = t.work_item_id
    where t.due_at <= now() order by t.position limit 1 for update of t skip locked`,
  listPeople: `
    with t as materialized (select * from tellings where position = $1),
    people as (
      select unnest(t.mentioned_ids) as user_id from t
      union select tm.user_id from t join teams d on d.lineage && (t.team_ids || t.asked_team_ids) join team_members tm on tm.team_id = d.id
      union select unnest(t.assignee_ids || t.reviewer_ids || t.asker_ids) from t
      union select unnest(tt.reviewer_ids) from t join told_texts tt on tt.id = t.work_item_id where not t.only_named
      union select w.author_id from t join work_items w on w.id = t.work_item_id where not t.only_named
      union select wa.user_id from t join work_item_assignees wa using (work_item_id) where not t.only_named
      union select c.author_id from t join comments c using (work_item_id) where not t.only_named and not c.is_pending
      union select s.user_id from t join work_item_subscriptions s using (work_item_id)
        where not t.only_named and s.state = 'subscribed'
      union select rs.user_id from t join repository_subscriptions rs using (repository_id)
        where not t.only_named and rs.level <> 'muted'
    )
    select u.id as user_id, ${mayRead} as may_read, u.id = any (t.mentioned_ids) as mentioned, ${inTeam("team_ids")} as team_mentioned,
      u.id = any (t.assignee_ids) as newly_assigned,
      ${isAsked} as newly_asked, ${isTeamAsked} as team_asked, u.id = any (t.asker_ids) as is_asker, exists (${isReviewer}) as is_reviewer, coalesce(w.author_id = u.id, false) as is_author,
      exists (select 1 from work_item_assignees wa where wa.work_item_id = w.id and wa.user_id = u.id) as is_assignee,
      exists (select 1 from comments c where c.work_item_id = w.id and c.author_id = u.id and not c.is_pending) as has_commented,
      s.state as thread, rs.level, coalesce(rs.kinds, '{}') as kinds
    from people p join users u on u.id = p.user_id cross join t
      join work_items w on w.id = t.work_item_id join repositories r on r.id = w.repository_id
      left join work_item_subscriptions s on s.work_item_id = w.id and s.user_id = u.id
      left join repository_subscriptions rs on rs.repository_id = r.id and rs.user_id = u.id
    where u.id > t.told_up_to and u.type = 'user' and not u.suspended and (u.id is distinct from t.actor_id or u.id = any (t.asker_ids))
    order by u.id limit $2`,
  // While an entry is unread, the strongest reason stays.
  tell: `
    insert into notifications (id, user_id, repository_id, work_item_id, reason, event, actor_id, review_asked_at)
    select p.id, p.user_id, t.repository_id, t.work_item_id, p.reason, t.event, t.actor_id, case when p.asked then now() end
    from tellings t cross join jsonb_to_recordset($2::jsonb) as p (id text, user_id text, reason text, asked boolean)
    where t.position = $1 order by p.user_id
    on conflict (user_id, work_item_id) do update set repository_id = excluded.repository_id,
      reason = case when ${isRequest} then excluded.reason when ${isAwaiting} then ${n}.reason
        when ${n}.unread then ${stronger(`${n}.reason`)} else excluded.reason end,
      ${otherwise("reason", stronger(`${n}.otherwise_reason`))},
      ${otherwise("event", "excluded.event")},
      ${otherwise("actor_id", "excluded.actor_id")},
      review_asked_at = coalesce(excluded.review_asked_at, ${n}.review_asked_at),
      event = excluded.event, actor_id = excluded.actor_id, unread = true, done_at = null, updated_at = now(),
      new_events = case when notifications.unread then notifications.new_events + 1 else 1 end`,
  subscribeMentioned: `
    insert into work_item_subscriptions (work_item_id, user_id, state, reason)
    select t.work_item_id, named.id, 'subscribed', 'mention' from tellings t, unnest($2::text[]) as named (id)
    where t.position = $1 on conflict do nothing`,
  moveOn: "update tellings set told_up_to = $2, attempts = 0 where position = $1",
  end: "delete from tellings where position = $1",
  postpone: `
    update tellings set attempts = attempts + 1, due_at = now() + make_interval(secs => $2::float8) where position = $1`,
  measure: `
    select count(*) as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds from tellings`,
});

export type PersonRow = RowOf<typeof statements.listPeople>;
export type DueTelling = RowOf<typeof statements.takeDue>;

export interface ToldText {
  id: string;
  mentions: readonly string[];
  assignees: readonly string[];
  reviewers: readonly string[];
}

/** What has been told of each text that has a row. */
export async function readTold(tx: Transaction, ids: readonly string[]): Promise<ToldText[]> {
  const rows = await tx.query(statements.readTold, [ids]);
  return rows.map(({ assignee_ids: assignees, reviewer_ids: reviewers, ...text }) => ({
    ...text,
    assignees,
    reviewers,
  }));
}

export async function writeTold(
  tx: Transaction,
  texts: readonly (ToldText & { itemId: string })[],
): Promise<void> {
  if (texts.length === 0) return;
  const rows = texts.map(({ itemId, ...rest }) => ({ ...rest, item_id: itemId }));
  await tx.query(statements.writeTold, [JSON.stringify(rows)]);
}

/** Names in lower case. */
export async function findUserIds(tx: Transaction, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  return (await tx.query(statements.findUsers, [names])).map(({ id }) => id);
}

/** `org/team`, in lower case; those that the actor may see. */
export async function findTeamIds(
  tx: Transaction,
  names: readonly string[],
  actorId: string | null,
): Promise<string[]> {
  if (names.length === 0 || actorId === null) return [];
  const parts = names.map((name) => {
    const slash = name.indexOf("/");
    return [name.slice(0, slash), name.slice(slash + 1)] as const;
  });
  const organizations = parts.map(([organization]) => organization);
  const paths = parts.map(([, path]) => path);
  return (await tx.query(statements.findTeams, [organizations, paths, actorId])).map(({ id }) => id);
}

export interface NewTelling {
  position: number;
  item_id: string;
  text_id: string;
  actor_id: string | null;
  event: string;
  only_named: boolean;
  mentioned: readonly string[];
  teams: readonly string[];
  assignees: readonly string[];
  reviewers: readonly string[];
  asked_teams: readonly string[];
  askers: readonly string[];
}

/** Nothing for what was deleted meanwhile. */
export async function insertTellings(tx: Transaction, tellings: readonly NewTelling[]): Promise<void> {
  if (tellings.length > 0) await tx.query(statements.insertTellings, [JSON.stringify(tellings)]);
}

/** The next ones in the order of their ids. */
export function listPeople(tx: Transaction, position: number, limit: number): Promise<PersonRow[]> {
  return tx.query(statements.listPeople, [position, limit]);
}

/** Somebody who is told. */
export interface Told {
  id: string;
  user_id: string;
  reason: NotificationReason;
  /** For a review, by this very event. */
  asked: boolean;
  /** Their entry says so already, and they have not looked at it: no mail says it once more. */
  repeated: boolean;
}

export async function tell(tx: Transaction, position: number, told: readonly Told[]): Promise<void> {
  if (told.length > 0) await tx.query(statements.tell, [position, JSON.stringify(told)]);
}

/** How many events wait, and for how long the oldest has. */
export async function measure(db: Queryable): Promise<{ waiting: number; seconds: number }> {
  return (await db.one(statements.measure, [])) ?? { waiting: 0, seconds: 0 };
}
