/** Events, and how far each follower has read them. */
import type { Queryable, Transaction } from "../db/database.ts";
import { defineStatements, type RowOf } from "../db/statement.ts";
import { storableJson } from "../storable-text.ts";
import type { EventsRows } from "./events.rows.ts";
import type { Cursor, Gap } from "./gaps.ts";

export type EventRow = RowOf<typeof statements.readEvents>;

interface Known {
  /** As `moveFollower` writes them; a snapshot always has a number. */
  lockFollower: { gaps: Gap[]; oldest: string };
  /** Always an object. */
  setSubject: { subject: Record<string, unknown> };
  /** As `lockFollower`. */
  nextTransaction: { next: string };
}

export const statements = defineStatements<EventsRows, Known>({
  lockFollower: `
    select position, gaps, pg_snapshot_xmin(pg_current_snapshot())::text as oldest
    from event_followers where name = $1 for update`,
  readEvents: `
    select e.position, e.kind, e.action, e.repository_id, e.organization_id, e.occurred_at
    from (
      select position from jsonb_to_recordset($2::jsonb) as gap("from" bigint, "to" bigint)
        join events on position between gap."from" and gap."to"
      union
      (select position from events where position > $1 order by position limit $3)
    ) found join events e using (position) order by e.position`,
  nextTransaction: "select pg_snapshot_xmax(pg_current_snapshot())::text as next",
  moveFollower:
    "update event_followers set position = $2, gaps = $3::jsonb, updated_at = now() where name = $1",
  countBehind: `
    select f.name, (select count(*) from events e where e.position > f.position) as behind,
      coalesce(extract(epoch from clock_timestamp() - (select min(e.occurred_at) from events e where e.position > f.position)), 0)::float8 as seconds
    from event_followers f`,
  setSubject: "update events set subject = $2::jsonb where position = $1 returning subject",
  deleteEvents: `
    delete from events where position in (
      select position from events where occurred_at < $1 and position <= (select min(f.position) from event_followers f)
      order by position limit 10000) returning position`,
});

/** Held until the transaction ends; undefined if there is no such follower. `oldest`: the oldest open transaction. */
export async function lockFollower(
  tx: Transaction,
  name: string,
): Promise<{ cursor: Cursor; oldest: string } | undefined> {
  const row = await tx.one(statements.lockFollower, [name]);
  return row && { cursor: { position: row.position, gaps: row.gaps }, oldest: row.oldest };
}

/** Those in gaps and the next ones, rising. */
export function readEvents(tx: Transaction, cursor: Cursor, limit: number): Promise<EventRow[]> {
  return tx.query(statements.readEvents, [cursor.position, JSON.stringify(cursor.gaps), limit]);
}

/** The number that the next transaction gets. */
export async function nextTransaction(tx: Transaction): Promise<string> {
  return (await tx.one(statements.nextTransaction))?.next ?? "0";
}

export async function moveFollower(tx: Transaction, name: string, cursor: Cursor): Promise<void> {
  await tx.query(statements.moveFollower, [name, cursor.position, JSON.stringify(cursor.gaps)]);
}

/** Events that each follower has not read, and the age of the oldest in seconds. */
export function countBehind(db: Queryable) {
  return db.query(statements.countBehind);
}

/** At most 10,000 of those before the time that every follower has read; how many. */
export async function deleteEvents(db: Queryable, before: Date): Promise<number> {
  return (await db.query(statements.deleteEvents, [before])).length;
}

/**
 * Completes what an event is about with what never changes. As it is read from now on: the order of members is the database's;
 * undefined where the event is gone.
 */
export async function setSubject(
  db: Queryable,
  position: number,
  subject: object,
): Promise<Record<string, unknown> | undefined> {
  return (await db.one(statements.setSubject, [position, storableJson(subject)]))?.subject;
}
