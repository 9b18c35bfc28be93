/**
 * Windows and custom limits in PostgreSQL. All time here is the database's, so that processes with other clocks agree.
 */
import type { RateCategory } from "@forgeline/schemas/core/rate-category.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { LimitsRows } from "./limits.rows.ts";

/**
 * An SQL expression of the limit that is in force for `account` (a user, or the repository whose jobs ask) in
 * `category`: what was set for the account, else `fallback`; or what was set for an organization that it belongs to,
 * where that is more. All three are SQL expressions; `account` may be null.
 */
function limitSql(names: { category: string; account: string; fallback: string }): string {
  const { category, account, fallback } = names;
  return `greatest(
    coalesce((select o.requests from rate_limit_overrides o
      where o.owner_id = ${account} and o.category = ${category}), ${fallback}),
    (select max(o.requests) from rate_limit_overrides o join organizations g on g.id = o.owner_id
      where ${account} is not null and o.category = ${category} and g.plan = 'enterprise' and o.owner_id in (
        select m.organization_id from organization_members m where m.user_id = ${account}
        union all select b.organization_id from users b where b.id = ${account}
        union all select r.owner_id from repositories r where r.id = ${account})))`;
}

interface Known {
  /** The requested amount; the limit is the one in force. */
  readWindows: { category: RateCategory; requests: number };
}

export const statements = defineStatements<LimitsRows, Known>({
  reserve: `
    with allowed as (
      select ${limitSql({ category: "$1", account: "$3::text", fallback: "$4::bigint" })} as requests,
        date_trunc('milliseconds', clock_timestamp()) as now, $6::bigint as need,
        set_config('synchronous_commit', 'off', true))
    insert into rate_limit_windows as w (category, subject, started_at, ends_at, requests, taken, granted)
    select $1, $2, now, now + make_interval(secs => $5), requests, least(need, requests), least(need, requests)
    from allowed
    on conflict (category, subject) do update set (started_at, ends_at, requests, taken, granted) = (
      select fresh.started_at, fresh.ends_at, excluded.requests, fresh.taken + granting.granted, granting.granted
      from (select
          case when over.yes then excluded.started_at else w.started_at end as started_at,
          case when over.yes then excluded.ends_at else w.ends_at end as ends_at,
          case when over.yes then 0 else w.taken end as taken
        from (select w.ends_at <= excluded.started_at
            or w.started_at > excluded.started_at + interval '1 minute' as yes) as over) as fresh,
        lateral (select greatest(0, excluded.requests - fresh.taken) as pot) as left_over,
        lateral (select least(pot, greatest($6::bigint, least($7::bigint, pot / 64))) as granted) as granting)
    returning started_at, ends_at, requests, taken, granted,
      (extract(epoch from ends_at - clock_timestamp()) * 1000)::float8 as ms_left`,
  returnUnused: `
    with locked as (
      select w.category, w.subject, back.count
      from unnest($1::text[], $2::text[], $3::timestamptz[], $4::bigint[]) as back (category, subject, started_at, count)
      join rate_limit_windows w using (category, subject, started_at)
      order by w.category, w.subject for update of w)
    update rate_limit_windows w set taken = greatest(0, w.taken - locked.count)
    from locked where w.category = locked.category and w.subject = locked.subject`,
  readWindows: `
    select a.category, w.started_at, w.ends_at, w.taken,
      (extract(epoch from w.ends_at - clock_timestamp()) * 1000)::float8 as ms_left,
      ${limitSql({ category: "a.category", account: "$4::text", fallback: "a.requests" })} as requests
    from unnest($1::text[], $2::bigint[]) as a (category, requests)
    left join rate_limit_windows w on w.category = a.category and w.subject = $3
      and w.ends_at > clock_timestamp() and w.started_at <= clock_timestamp() + interval '1 minute'`,
  sweepWindows: "delete from rate_limit_windows where ends_at < now() - interval '1 hour'",
});

/** `started_at` names the window: what was reserved in one is worth nothing in the next. `requests` is the limit in force. */
export type ReservedRow = LimitsRows["reserve"];

export interface Reservation {
  category: RateCategory;
  subject: string;
  /** Whose custom limits count; null: nobody's. */
  accountId: string | null;
  requests: number;
  windowSeconds: number;
  /** The amount needed now, and the amount to reserve while much is left. */
  need: number;
  block: number;
}

/**
 * Takes `block` of the window while much is left, towards its end no more than a 64th of what is left, but `need`
 * where that is more; never more than is left. An ended window starts over, and so does one from the future: the
 * database's clock was put back. The commit is not waited for on disk: a crash of PostgreSQL itself may forget the last
 * half second.
 */
export async function reserve(db: Queryable, wanted: Reservation): Promise<ReservedRow> {
  const row = await db.one(statements.reserve, [
    wanted.category,
    wanted.subject,
    wanted.accountId,
    wanted.requests,
    wanted.windowSeconds,
    wanted.need,
    wanted.block,
  ]);
  if (!row) throw new Error("a reservation gave no row");
  return row;
}

export interface Unused {
  category: RateCategory;
  subject: string;
  startedAt: Date;
  count: number;
}

/** Gives back to windows that have not ended. Rows are locked in one order, so that processes do not wait in a circle. */
export async function returnUnused(db: Queryable, unused: readonly Unused[]): Promise<void> {
  await db.query(statements.returnUnused, [
    unused.map((u) => u.category),
    unused.map((u) => u.subject),
    unused.map((u) => u.startedAt),
    unused.map((u) => u.count),
  ]);
}

export type WindowRow = RowOf<typeof statements.readWindows>;

export interface WantedWindows {
  subject: string;
  accountId: string | null;
  limits: readonly { category: RateCategory; requests: number }[];
}

/** The running windows of a subject and its limits, in several categories. */
export function readWindows(db: Queryable, wanted: WantedWindows): Promise<WindowRow[]> {
  return db.query(statements.readWindows, [
    wanted.limits.map(({ category }) => category),
    wanted.limits.map(({ requests }) => requests),
    wanted.subject,
    wanted.accountId,
  ]);
}

export async function sweepWindows(db: Queryable): Promise<void> {
  await db.query(statements.sweepWindows);
}
