/** Schedules whose time has come. */
import type { Schedule } from "@forgeline/schemas/schedules/resource.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import type { DueRows } from "./due.rows.ts";
import type { DisabledReason } from "./schedules.store.ts";

export type DueSchedule = RowOf<typeof statements.findDue>;

interface Known {
  /** What was stored with the schedule; what has no next time is not due. */
  findDue: { variables: Record<string, string>; inputs: Schedule["inputs"]; next_at: Date };
}

const ownersLevel = levelSql({ repository: "r", user: "s.owner_id", admin: "w.is_admin" });
const isDue = "s.next_at <= now() and coalesce(s.not_before <= now(), true)";

export const statements = defineStatements<DueRows, Known>({
  // Of each repository one after the other, so that none with many schedules goes before all others.
  listDue: `
    select d.id from (
      select s.id, s.next_at, row_number() over (partition by s.repository_id order by s.next_at, s.id) as turn
      from pipeline_schedules s where ${isDue}) d
    order by d.turn, d.next_at, d.id limit $1`,
  findNext:
    "select min(greatest(next_at, not_before)) as next_at from pipeline_schedules where next_at is not null",
  findDue: `
    select s.id, s.repository_id, s.source, s.file, s.name, s.cron, s.timezone, s.ref, s.variables, s.inputs, s.if_missed, s.next_at,
      s.tries, s.owner_id, s.reach, n.full_name as repository, (r.archived or r.deleted_at is not null) as rests,
      coalesce(not w.suspended and ${ownersLevel} >= 'write', false) as owner_may
    from pipeline_schedules s join repositories r on r.id = s.repository_id join repository_names n on n.repository_id = r.id
    left join users w on w.id = s.owner_id where s.id = $1 and ${isDue}`,
  lockDue: "select id from pipeline_schedules where id = $1 and next_at = $2 for no key update",
  succeed: `
    update pipeline_schedules set next_at = $2, enabled = $2::timestamptz is not null, failures = 0, alerted_at = null, tries = 0,
      not_before = null where id = $1`,
  fail: `
    update pipeline_schedules set next_at = $2, enabled = $2::timestamptz is not null, failures = failures + 1, tries = 0, not_before = null
    where id = $1 returning failures, alerted_at`,
  passBy: `
    update pipeline_schedules set next_at = $3, enabled = $3::timestamptz is not null where id = $1 and next_at = $2`,
  putOff: `
    update pipeline_schedules set tries = tries + 1, not_before = now() + $3 * interval '1 millisecond' where id = $1 and next_at = $2`,
  turnOff: `
    update pipeline_schedules set enabled = false, next_at = null, disabled_reason = $2, tries = 0, not_before = null, updated_at = now()
    where id = $1`,
  noteAlert: "update pipeline_schedules set alerted_at = now() where id = $1",
});

/** Ids; what comes first is due. */
export async function listDue(db: Queryable, limit: number): Promise<string[]> {
  return (await db.query(statements.listDue, [limit])).map(({ id }) => id);
}

/** When the next one is due; null if none ever is. */
export async function findNext(db: Queryable): Promise<Date | null> {
  return (await db.one(statements.findNext))?.next_at ?? null;
}

/** `rests`: nothing may start in its repository. `owner_may`: with the rights of its owner. Undefined where it is not due any more. */
export function findDue(db: Queryable, id: string): Promise<DueSchedule | undefined> {
  return db.one(statements.findDue, [id]);
}

/** Until the transaction ends; false where something was made of this time already. */
export async function lockDue(tx: Transaction, id: string, dueAt: Date): Promise<boolean> {
  return (await tx.one(statements.lockDue, [id, dueAt])) !== undefined;
}

/** `nextAt` null: it never comes again. So for the following. */
export async function succeed(tx: Transaction, id: string, nextAt: Date | null): Promise<void> {
  await tx.query(statements.succeed, [id, nextAt]);
}

export function fail(tx: Transaction, id: string, nextAt: Date | null): Promise<DueRows["fail"] | undefined> {
  return tx.one(statements.fail, [id, nextAt]);
}

/** Nothing is made of this time, and nobody is told. */
export async function passBy(
  db: Queryable,
  id: string,
  at: { dueAt: Date; nextAt: Date | null },
): Promise<void> {
  await db.query(statements.passBy, [id, at.dueAt, at.nextAt]);
}

/** It is left alone for so long. */
export async function putOff(db: Queryable, id: string, at: { dueAt: Date; ms: number }): Promise<void> {
  await db.query(statements.putOff, [id, at.dueAt, at.ms]);
}

export async function turnOff(tx: Transaction, id: string, reason: DisabledReason): Promise<void> {
  await tx.query(statements.turnOff, [id, reason]);
}

export async function noteAlert(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.noteAlert, [id]);
}
