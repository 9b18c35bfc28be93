/** Rows of `fork_schedules`. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { Timing } from "../mirrors/timing.ts";
import type { ForkSchedulesRows } from "./fork-schedules.rows.ts";

export type ForkScheduleRow = RowOf<typeof statements.findSchedule>;
export type DisabledReason = "transferred" | "owner" | "upstream";

interface Known {
  /** As the check of the table says it. */
  findSchedule: { disabled_reason: DisabledReason | null };
}

export const statements = defineStatements<ForkSchedulesRows, Known>({
  findSchedule: `
    select s.repository_id, s.branch, s.interval_minutes, s.cron, s.timezone, s.enabled, s.disabled_reason, s.owner_id, s.failures,
      s.failing_since, s.not_before, s.created_at, s.updated_at, u.username as owner_name
    from fork_schedules s left join users u on u.id = s.owner_id where s.repository_id = $1`,
  putSchedule: `
    insert into fork_schedules (repository_id, branch, interval_minutes, cron, timezone, enabled, owner_id)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (repository_id) do update set branch = excluded.branch, interval_minutes = excluded.interval_minutes, cron = excluded.cron,
      timezone = excluded.timezone, enabled = excluded.enabled, owner_id = excluded.owner_id, disabled_reason = null, failures = 0,
      failing_since = null, alerted_at = null, not_before = null, updated_at = now()`,
  deleteSchedule: "delete from fork_schedules where repository_id = $1 returning repository_id",
  lockDue: `
    select s.repository_id, s.branch, s.owner_id from fork_schedules s join repositories r on r.id = s.repository_id
    where s.repository_id = $1 and s.enabled and coalesce(s.not_before <= now(), true) and r.deleted_at is null and not r.archived
    for no key update of s`,
  noteSuccess: `
    update fork_schedules s set failures = 0, failing_since = null, alerted_at = null, not_before = null
    from fork_schedules before where s.repository_id = $1 and before.repository_id = s.repository_id
    returning before.alerted_at, before.failing_since`,
  noteFailure: `
    update fork_schedules set failures = failures + 1, failing_since = coalesce(failing_since, now()) where repository_id = $1
    returning failures, failing_since, alerted_at, interval_minutes, cron, timezone`,
  waitFor:
    "update fork_schedules set not_before = now() + $2 * interval '1 millisecond' where repository_id = $1",
  noteAlert: "update fork_schedules set alerted_at = now() where repository_id = $1",
  pause: `
    update fork_schedules set enabled = false, disabled_reason = $2, updated_at = now() where repository_id = $1 and enabled
    returning repository_id`,
  listAfter:
    "select repository_id from fork_schedules where repository_id > $1 order by repository_id limit $2",
  countSchedules: `
    select count(*) filter (where enabled and failures = 0)::int as working, count(*) filter (where enabled and failures > 0)::int as failing,
      count(*) filter (where not enabled)::int as paused from fork_schedules`,
});

export function findSchedule(db: Queryable, repositoryId: string): Promise<ForkScheduleRow | undefined> {
  return db.one(statements.findSchedule, [repositoryId]);
}

export interface StoredForkSchedule extends Timing {
  repositoryId: string;
  branch: string | null;
  enabled: boolean;
  ownerId: string | null;
}

/** As if nothing had failed. */
export async function putSchedule(tx: Transaction, schedule: StoredForkSchedule): Promise<void> {
  const { repositoryId, branch, intervalMinutes, cron, timezone, enabled, ownerId } = schedule;
  const values = [repositoryId, branch, intervalMinutes, cron, timezone, enabled, ownerId];
  await tx.query(statements.putSchedule, values);
}

/** False where there was none. */
export async function deleteSchedule(tx: Transaction, repositoryId: string): Promise<boolean> {
  return (await tx.one(statements.deleteSchedule, [repositoryId])) !== undefined;
}

/** Until the transaction ends; undefined where nothing is to be synced now. */
export function lockDue(
  tx: Transaction,
  repositoryId: string,
): Promise<ForkSchedulesRows["lockDue"] | undefined> {
  return tx.one(statements.lockDue, [repositoryId]);
}

/** What was known of the outage that has ended with it, if there was one. */
export function noteSuccess(
  tx: Transaction,
  repositoryId: string,
): Promise<ForkSchedulesRows["noteSuccess"] | undefined> {
  return tx.one(statements.noteSuccess, [repositoryId]);
}

export function noteFailure(
  tx: Transaction,
  repositoryId: string,
): Promise<ForkSchedulesRows["noteFailure"] | undefined> {
  return tx.one(statements.noteFailure, [repositoryId]);
}

/** Scheduled syncs are skipped for so long. */
export async function waitFor(tx: Transaction, repositoryId: string, ms: number): Promise<void> {
  await tx.query(statements.waitFor, [repositoryId, ms]);
}

export async function noteAlert(tx: Transaction, repositoryId: string): Promise<void> {
  await tx.query(statements.noteAlert, [repositoryId]);
}

/** False where there is none that is enabled. */
export async function pause(tx: Transaction, repositoryId: string, reason: DisabledReason): Promise<boolean> {
  return (await tx.one(statements.pause, [repositoryId, reason])) !== undefined;
}

/** Repositories with a schedule, after one, by id. */
export async function listAfter(db: Queryable, after: string, limit: number): Promise<string[]> {
  const rows = await db.query(statements.listAfter, [after, limit]);
  return rows.map(({ repository_id: id }) => id);
}

export async function countSchedules(db: Queryable): Promise<ForkSchedulesRows["countSchedules"]> {
  return (await db.one(statements.countSchedules)) ?? { working: 0, failing: 0, paused: 0 };
}
