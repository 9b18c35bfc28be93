/** Reads and changes the entries of inboxes: those of one person, in repositories that they can still read. */
import type { NotificationReason } from "@forgeline/schemas/notifications/resource.ts";
import type { NotificationQuery } from "@forgeline/schemas/notifications/routes.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Database } from "../../../platform/db/database.ts";
import { defineStatements, variantOf, type RowOf } from "../../../platform/db/statement.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import { levelSql } from "../../policy/domain.ts";
import { endedBecause } from "./columns.store.ts";
import type { InboxRows } from "./inbox.rows.ts";

interface Shown {
  /** A function gives it. */
  actor: UserSnapshot | null;
  /** Only reasons of the contract are written. */
  reason: NotificationReason;
  /** The two kinds and three states that exist. */
  kind: "issue" | "merge_request";
  state: "open" | "closed" | "merged";
}
interface Known {
  /** Why is said there. */
  list: Shown;
  /** As above. */
  find: Shown;
}

const columns = `n.id, n.reason, n.event, n.unread, n.new_events, n.saved_at, n.done_at, n.read_at, n.created_at, n.updated_at,
    n.repository_id, user_snapshot(n.actor_id) as actor, w.kind, w.number, w.title, w.state,
    ${endedBecause("n.event", "n.updated_at")} as ended_because`;
const names = `(select rn.owner from repository_names rn where rn.repository_id = n.repository_id) as owner,
    (select rn.name from repository_names rn where rn.repository_id = n.repository_id) as name`;

// From one repository to the next by the index, since most entries are in the same few.
const repositoriesSql = `with recursive own (id) as (
        (select d.repository_id from notifications d where d.user_id = $1 order by d.repository_id limit 1)
        union all
        select (select d.repository_id from notifications d where d.user_id = $1 and d.repository_id > own.id order by d.repository_id limit 1)
        from own where own.id is not null)
      select own.id from own where own.id is not null`;

// Asked once for each repository, not for each entry.
const readable = `n.repository_id = any (array(
      select r.id from repositories r
      where r.id in (${repositoriesSql})
        and ${levelSql({ repository: "r", user: "$1::text", admin: "$2::boolean" })} is not null))`;
const from = "from notifications n join work_items w on w.id = n.work_item_id";
const isOfKind = "w.kind = any ($3::text[])";
const ofReader = `n.user_id = $1 and ${isOfKind} and ${readable}`;

// What a row shows is looked up for those of the page alone, not for those before it.
const listSql = (place: string, next: number) => `
    with page as materialized (
      select n.* ${place} order by n.updated_at desc, n.id desc limit $${next} offset $${next + 1})
    select ${columns}, ${names} from page n join work_items w on w.id = n.work_item_id
    order by n.updated_at desc, n.id desc`;
const repositoryIs = (p: string) => `n.repository_id = (select rn.repository_id from repository_names rn
      where rn.deleted_at is null and lower(rn.owner) = lower(split_part(${p}, '/', 1)) and lower(rn.name) = lower(split_part(${p}, '/', 2)))`;

export const statements = defineStatements<InboxRows, Known>({
  list: listSql(`${from} where ${ofReader}`, 4),
  find: `select ${columns}, ${names} ${from} where ${ofReader} and n.id = $4`,
  update: `
    update notifications n set
      unread = coalesce($3::boolean, n.unread and $5::boolean is not true),
      saved_at = case when $4::boolean is null then n.saved_at when $4::boolean then coalesce(n.saved_at, now()) end,
      done_at = case when $5::boolean is null and $3::boolean is not true then n.done_at
        when $5::boolean then coalesce(n.done_at, now()) end,
      new_events = case when coalesce($3::boolean, n.unread and $5::boolean is not true) then greatest(n.new_events, 1) else 0 end,
      read_at = case when coalesce(not $3::boolean, $5::boolean) and n.unread then now() else n.read_at end
    where n.user_id = $1 and n.id = $2`,
  // Times are shown in milliseconds.
  markRead: `
    update notifications n set unread = false, new_events = 0, read_at = now()
    from work_items w
    where w.id = n.work_item_id and n.user_id = $1 and w.kind = any ($2::text[]) and n.unread
      and date_trunc('milliseconds', n.updated_at) <= coalesce($3::timestamptz, now())
      and ($4::text is null or ${repositoryIs("$4::text")})`,
  removeOld: `
    delete from notifications where id in (
      select n.id from notifications n where n.saved_at is null
        and (n.updated_at < now() - interval '1 year' or n.done_at < now() - interval '90 days') limit 5000) returning id`,
  removeBeyond: `
    delete from notifications where id in (
      select n.id from (select user_id from notifications group by user_id having count(*) > $1::int limit 100) busy
        cross join lateral (select id from notifications d where d.user_id = busy.user_id
          order by d.updated_at desc offset $1::int limit 5000) n) returning id`,
  moveNotifications: "update notifications set repository_id = $2 where work_item_id = $1",
  moveTellings: "update tellings set repository_id = $2 where work_item_id = $1",
  removeForgotten: "delete from tellings where created_at < now() - interval '31 days'",
});

export type NotificationRow = RowOf<typeof statements.list>;

export interface Reader {
  userId: string;
  isAdmin: boolean;
  /** Those that the token may read. */
  kinds: readonly ("issue" | "merge_request")[];
}

const valuesOf = ({ userId, isAdmin, kinds }: Reader): unknown[] => [userId, isAdmin, kinds];

type Filter = Omit<NotificationQuery, "page" | "per_page">;

/** In SQL of constants only: requested values are added to the parameters. Whoever may see both kinds needs no look at each issue. */
function placeOf(filter: Filter, { kinds }: Reader, params: unknown[]): string {
  const conditions = conditionsOf(filter, params);
  const [place, kind] =
    kinds.length > 1 ? ["from notifications n", "$3::text[] is not null"] : [from, isOfKind];
  return `${place} where ${["n.user_id = $1", kind, readable, ...conditions].join(" and ")}`;
}

function conditionsOf(filter: Filter, params: unknown[]): string[] {
  const parts: string[] = [];
  const add = (condition: (p: string) => string, value: unknown) => {
    params.push(value);
    parts.push(condition(`$${params.length}`));
  };
  if (filter.done) parts.push("n.done_at is not null");
  else if (!filter.saved) parts.push("n.done_at is null");
  if (filter.saved) parts.push("n.saved_at is not null");
  if (filter.unread) parts.push("n.unread");
  if (filter.reason) add((p) => `n.reason = ${p}`, filter.reason);
  if (filter.repository) add((p) => repositoryIs(`${p}::text`), filter.repository);
  return parts;
}

/** Newest first. */
export async function list(
  db: Database,
  reader: Reader,
  { page, per_page: perPage, ...filter }: NotificationQuery,
): Promise<{ rows: NotificationRow[]; total: number }> {
  const params = valuesOf(reader);
  const place = placeOf(filter, reader, params);
  const statement = variantOf(statements.list, listSql(place, params.length + 1));
  const [rows, total] = await Promise.all([
    db.query(statement, [...params, perPage, (page - 1) * perPage]),
    count(db, reader, filter),
  ]);
  return { rows, total };
}

export function countUnread(db: Database, reader: Reader): Promise<number> {
  return count(db, reader, { unread: "true" });
}

function count(db: Database, reader: Reader, filter: Filter): Promise<number> {
  const params = valuesOf(reader);
  return countRows(db, placeOf(filter, reader, params), params);
}

export function find(db: Database, reader: Reader, id: string): Promise<NotificationRow | undefined> {
  return db.one(statements.find, [...valuesOf(reader), id]);
}
