/** What became of times of schedules: rows of `schedule_runs`. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ScheduleRunsRows } from "./schedule-runs.rows.ts";

const columns = `t.cause, t.status, t.due_at, t.missed, t.error, t.created_at, u.username, p.id as pipeline_id, p.number, p.status as pipeline_status
  from schedule_runs t left join pipelines p on p.id = t.pipeline_id left join users u on u.id = t.user_id`;

/** The last five of the schedule `s` of the statement around it, as a list of `LastRun`. */
export const lastRunsSql = `(select coalesce(json_agg(l), '[]') from (
  select ${columns} where t.schedule_id = s.id order by t.id desc limit 5) l)`;

/** As JSON: times are texts. */
export interface LastRun {
  cause: "schedule" | "missed" | "manual";
  status: "started" | "skipped" | "failed";
  due_at: string;
  missed: number;
  error: string | null;
  created_at: string;
  username: string | null;
  pipeline_id: string | null;
  number: number | null;
  pipeline_status: Status | null;
}

export const statements = defineStatements<ScheduleRunsRows>({
  insertRun: `
    insert into schedule_runs (schedule_id, cause, status, due_at, missed, pipeline_id, user_id, error)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
  listRuns: `
    select ${columns} where t.schedule_id = $1 order by t.id desc limit $2 offset $3`,
  deleteOldRuns: `
    with old as (select id from schedule_runs where created_at < now() - interval '90 days' order by id limit 5000)
    delete from schedule_runs t using old where t.id = old.id returning t.id`,
});

export interface NewScheduleRun extends Pick<LastRun, "cause" | "status"> {
  scheduleId: string;
  dueAt: Date;
  missed?: number;
  pipelineId?: string | null;
  userId?: string;
  error?: string;
}

export async function insertRun(tx: Transaction, run: NewScheduleRun): Promise<void> {
  const {
    scheduleId,
    cause,
    status,
    dueAt,
    missed = 0,
    pipelineId = null,
    userId = null,
    error = null,
  } = run;
  await tx.query(statements.insertRun, [scheduleId, cause, status, dueAt, missed, pipelineId, userId, error]);
}

export type ScheduleRunRow = ScheduleRunsRows["listRuns"];

/** Newest first. */
export async function listRuns(
  db: Queryable,
  scheduleId: string,
  page: { page: number; per_page: number },
): Promise<{ rows: ScheduleRunRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listRuns, [scheduleId, page.per_page, offsetOf(page)]),
    countRows(db, "from schedule_runs t where t.schedule_id = $1", [scheduleId]),
  ]);
  return { rows, total };
}

/** How many are gone. */
export async function deleteOldRuns(db: Queryable): Promise<number> {
  return (await db.query(statements.deleteOldRuns)).length;
}
