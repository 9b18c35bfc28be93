/** Rows of `pipeline_schedules` for those who configure them. */
import type { Schedule } from "@forgeline/schemas/schedules/resource.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Reach } from "../../../platform/access/reach.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { storableJson, storableText } from "../../../platform/storable-text.ts";
import { lastRunsSql, type LastRun } from "./schedule-runs.store.ts";
import type { SchedulesRows } from "./schedules.rows.ts";

export type ScheduleRow = RowOf<typeof statements.findSchedule>;
export type DisabledReason = "owner" | "mirror" | "fork";

interface Row {
  /** What `storedSchedule` was given, and the checks of the table say. */
  variables: Record<string, string>;
  inputs: Schedule["inputs"];
  disabled_reason: DisabledReason | null;
  last_runs: LastRun[];
}

interface Known {
  /** The same columns. */
  findSchedule: Row;
  listSchedules: Row;
}

const columns = `s.id, s.repository_id, s.source, s.file, s.name, s.cron, s.timezone, s.ref, s.variables, s.inputs, s.if_missed, s.enabled,
  s.disabled_reason, s.owner_id, s.reach, s.next_at, s.failures, s.created_at, s.updated_at, w.username as owner, ${lastRunsSql} as last_runs`;
const ofRepository =
  "from pipeline_schedules s left join users w on w.id = s.owner_id where s.repository_id = $1";

export const statements = defineStatements<SchedulesRows, Known>({
  findSchedule: `select ${columns} ${ofRepository} and s.id = $2`,
  listSchedules: `select ${columns} ${ofRepository} order by s.name, s.id limit $2 offset $3`,
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
  lockSchedule: `
    select id, updated_at from pipeline_schedules where repository_id = $1 and id = $2 for no key update`,
  countManual:
    "select count(*)::int as count from pipeline_schedules where repository_id = $1 and source = 'manual'",
  findRival: `
    select id from pipeline_schedules where repository_id = $1 and name = $2 and source = 'manual' and id <> $3`,
  insertSchedule: `
    insert into pipeline_schedules (id, repository_id, source, file, name, cron, timezone, ref, variables, inputs, if_missed, enabled,
      disabled_reason, owner_id, next_at, reach)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11, $12, $13, $14, $15, $16)`,
  updateSchedule: `
    update pipeline_schedules set file = $4, name = $5, cron = $6, timezone = $7, ref = $8, variables = $9::jsonb, inputs = $10::jsonb,
      if_missed = $11, enabled = $12, disabled_reason = $13, owner_id = $14, next_at = $15, reach = $16, failures = 0,
      alerted_at = null, tries = 0, not_before = null, updated_at = now()
    where id = $1 and repository_id = $2 and source = $3`,
  deleteSchedule: "delete from pipeline_schedules where repository_id = $1 and id = $2",
  listOfFiles: `
    select id, file, name, cron, timezone, ref, if_missed, enabled, disabled_reason, owner_id, reach, next_at from pipeline_schedules
    where repository_id = $1 and source = 'file' order by id for update`,
  countSchedules: `
    select count(*) filter (where enabled and failures = 0)::int as working, count(*) filter (where enabled and failures > 0)::int as failing,
      count(*) filter (where not enabled)::int as off,
      coalesce(extract(epoch from now() - min(next_at)), 0)::float8 as lag from pipeline_schedules`,
});

export function findSchedule(
  db: Queryable,
  repositoryId: string,
  id: string,
): Promise<ScheduleRow | undefined> {
  return db.one(statements.findSchedule, [repositoryId, id]);
}

/** By name. */
export async function listSchedules(
  db: Queryable,
  repositoryId: string,
  page: { page: number; per_page: number },
): Promise<{ rows: ScheduleRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listSchedules, [repositoryId, page.per_page, offsetOf(page)]),
    countRows(db, ofRepository, [repositoryId]),
  ]);
  return { rows, total };
}

/** Until the transaction ends, so that nobody passes the most; false where it is gone. */
export async function holdRepository(tx: Transaction, repositoryId: string): Promise<boolean> {
  return (await tx.one(statements.holdRepository, [repositoryId])) !== undefined;
}

/** Until the transaction ends. */
export function lockSchedule(
  tx: Transaction,
  repositoryId: string,
  id: string,
): Promise<SchedulesRows["lockSchedule"] | undefined> {
  return tx.one(statements.lockSchedule, [repositoryId, id]);
}

/** How many were made by hand. */
export async function countManual(tx: Transaction, repositoryId: string): Promise<number> {
  return (await tx.one(statements.countManual, [repositoryId]))?.count ?? 0;
}

/** Whether another one that was made by hand has this name. */
export async function hasRival(
  tx: Transaction,
  { repositoryId, name, id }: Pick<StoredSchedule, "repositoryId" | "name" | "id">,
): Promise<boolean> {
  return (await tx.one(statements.findRival, [repositoryId, name, id])) !== undefined;
}

export interface StoredSchedule {
  id: string;
  repositoryId: string;
  source: "file" | "manual";
  file: string | null;
  name: string;
  cron: string;
  timezone: string;
  ref: string | null;
  variables: Record<string, string>;
  inputs: Schedule["inputs"];
  ifMissed: "skip" | "run_once";
  enabled: boolean;
  disabledReason: DisabledReason | null;
  ownerId: string | null;
  reach: Reach;
  /** Null exactly while it is off. */
  nextAt: Date | null;
}

const valuesOf = (schedule: StoredSchedule) => [
  schedule.id,
  schedule.repositoryId,
  schedule.source,
  schedule.file,
  storableText(schedule.name),
  schedule.cron,
  schedule.timezone,
  schedule.ref,
  storableJson(schedule.variables),
  storableJson(schedule.inputs),
  schedule.ifMissed,
  schedule.enabled,
  schedule.disabledReason,
  schedule.ownerId,
  schedule.nextAt,
  schedule.reach,
];

export async function insertSchedule(tx: Transaction, schedule: StoredSchedule): Promise<void> {
  await tx.query(statements.insertSchedule, valuesOf(schedule));
}

/** As if nothing had failed. */
export async function updateSchedule(tx: Transaction, schedule: StoredSchedule): Promise<void> {
  await tx.query(statements.updateSchedule, valuesOf(schedule));
}

export async function deleteSchedule(tx: Transaction, repositoryId: string, id: string): Promise<void> {
  await tx.query(statements.deleteSchedule, [repositoryId, id]);
}

export type FileScheduleRow = SchedulesRows["listOfFiles"];

/** Those that pipeline files list; locked until the transaction ends. */
export function listOfFiles(tx: Transaction, repositoryId: string): Promise<FileScheduleRow[]> {
  return tx.query(statements.listOfFiles, [repositoryId]);
}

/** `lag`: seconds since the first time that has come and nothing was made of yet; negative if none has. */
export async function countSchedules(db: Queryable): Promise<SchedulesRows["countSchedules"]> {
  return (await db.one(statements.countSchedules)) ?? { working: 0, failing: 0, off: 0, lag: 0 };
}
