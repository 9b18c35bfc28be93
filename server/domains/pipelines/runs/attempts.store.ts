/** Rows of `job_attempts` as a run changes them, under its lock; what a lease changes is in the stores of leases. */
import type { AttemptFact } from "@forgeline/schemas/pipelines/workflow.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { JobResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { signedLabel } from "../runners/labels.ts";
import { attemptSql } from "./attempt-states.ts";
import type { AttemptsRows } from "./attempts.rows.ts";

const { from, to } = attemptSql;

/** For how long the attempt has deployed; null for one that deploys nothing. */
const deployingSeconds = `
  (select extract(epoch from now() - coalesce(a.started_at, now())) from deployments d where d.attempt_id = a.id)::float8 as "deployingSeconds"`;

export const statements = defineStatements<AttemptsRows>({
  runOfAttempt: "select pipeline_id from job_attempts where id = $1",
  lockAttempt: `
    select id, job_id, attempt, epoch, state, status, reason, begun, kept_until is not null as kept, ${deployingSeconds} from job_attempts a where id = $1 for update`,
  lockAttemptsOfJobs: `
    select id, job_id, attempt, epoch, state, status, reason, begun, kept_until is not null as kept, ${deployingSeconds} from job_attempts a
    where job_id = any($1) order by id for update`,
  lockHeldAttempt: `
    select id, attempt, unreachable from job_attempts where job_id = $1 and state = 'leased'
    order by attempt desc limit 1 for update`,
  startAttempt: `
    update job_attempts set status = 'running',
      started_at = greatest(queued_at, least(now(), to_timestamp($2 / 1000.0)))
    where id = $1 and state in (${from("start")})`,
  // Times of steps come from the runner, whose clock may be wrong: never later than now, and no end before its start. A step
  // that is not in the plan is ignored, because a refused result would never be accepted.
  endAttempt: `
    with ended as (
      update job_attempts set state = ${to("finish")}, status = $2, reason = $3, message = $4, exit_code = $5, outputs = $6::jsonb,
        warnings = $7, log_complete = $8, unreachable = false, finished_at = now()
      where id = $1 and state in (${from("finish")}) returning id, job_id, pipeline_id
    ), job_outputs as (
      update jobs set outputs = $6::jsonb from ended where jobs.id = ended.job_id
    )
    update steps t set status = s.status, reason = s.reason, message = s.message, exit_code = s."exitCode",
      started_at = coalesce(t.started_at, said.started_at),
      finished_at = coalesce(t.finished_at, greatest(t.started_at, said.finished_at))
    from ended, jsonb_to_recordset($9::jsonb) as s(position int, status text, reason text, message text,
      "exitCode" int, "startedAtMs" float8, "finishedAtMs" float8),
      lateral (select
        case when s."startedAtMs" is not null then least(now(), to_timestamp(s."startedAtMs" / 1000.0)) end as started_at,
        case when s."finishedAtMs" is not null
          then least(now(), to_timestamp(greatest(s."startedAtMs", s."finishedAtMs") / 1000.0)) end as finished_at) said
    where t.attempt_id = ended.id and t.position = s.position`,
  delegateAttempts: `
    update job_attempts set state = ${to("delegate")} where id = any($1) and state in (${from("delegate")})`,
  markSigned: `
    update job_attempts set labels = array(
      select l.label from unnest(labels || '${signedLabel}'::text) as l(label) order by l.label collate "C")
    where id = any($1)`,
  followAttempt: `
    update job_attempts set state = ${to("follow")}, status = 'running', started_at = now()
    where id = $1 and state in (${from("follow")})`,
  endLost: `
    update job_attempts set state = ${to("lapse")}, status = $2, reason = $3, message = $4, epoch = epoch + 1,
      unreachable = false, log_complete = false, finished_at = now()
    where id = $1 and state in (${from("lapse")})`,
  endUnplaced: `
    update job_attempts set state = ${to("unplace")}, status = $2, reason = $3, message = $4, epoch = epoch + 1,
      finished_at = now()
    where id = $1 and state in (${from("unplace")})`,
  endStopped: `
    update job_attempts set state = ${to("forceEnd")}, status = $2, reason = $3, message = $4, epoch = epoch + 1,
      unreachable = false, log_complete = (state <> 'leased'), finished_at = now()
    where id = $1 and state in (${from("forceEnd")})`,
  endAllOpen: `
    update job_attempts a set state = ${to("abandon")}, status = 'error', reason = $2, message = $3, epoch = epoch + 1,
      log_complete = false, finished_at = now()
    where pipeline_id = $1 and state in (${from("abandon")}) returning id, ${deployingSeconds}`,
  requestCancel: `
    update job_attempts set status = 'cancelling',
      cancel = $2::jsonb || jsonb_build_object('at', coalesce(cancel ->> 'at', to_json(now()) #>> '{}'))
    where id = $1 and (state in (${from("stop", "leased")}) or state in (${from("stop", "following")}))`,
  latestReasons: `
    select distinct on (job_id) job_id, reason, message from job_attempts where job_id = any($1)
    order by job_id, attempt desc`,
  latestOfUnsettled: `
    select distinct on (a.job_id) a.job_id as "jobId", a.attempt, a.epoch, a.status, a.reason, a.exit_code as "exitCode",
      a.begun, a.kept_until is not null and a.status = 'failed' as decided, a.state = 'ended' as ended
    from job_attempts a join jobs j on j.id = a.job_id
    where a.pipeline_id = $1 and j.status in ('queued', 'running', 'cancelling') order by a.job_id, a.attempt desc`,
});

export type AttemptRow = AttemptsRows["lockAttempt"];

export async function runOfAttempt(db: Queryable, attemptId: string): Promise<string | undefined> {
  const row = await db.one(statements.runOfAttempt, [attemptId]);
  return row?.pipeline_id;
}

export function lockAttempt(tx: Transaction, attemptId: string): Promise<AttemptRow | undefined> {
  return tx.one(statements.lockAttempt, [attemptId]);
}

/** The one that a runner has, if any. */
export function lockHeldAttempt(
  tx: Transaction,
  jobId: string,
): Promise<AttemptsRows["lockHeldAttempt"] | undefined> {
  return tx.one(statements.lockHeldAttempt, [jobId]);
}

export function lockAttemptsOfJobs(tx: Transaction, jobIds: readonly string[]): Promise<AttemptRow[]> {
  return tx.query(statements.lockAttemptsOfJobs, [[...jobIds]]);
}

/** `timeMs` is limited to between queueing and now. */
export async function startAttempt(tx: Transaction, id: string, timeMs: number): Promise<void> {
  await tx.query(statements.startAttempt, [id, timeMs]);
}

/** They are signed: runners that execute nothing else may take them. */
export async function markSigned(tx: Transaction, attemptIds: readonly string[]): Promise<void> {
  await tx.query(statements.markSigned, [[...attemptIds]]);
}

/** Those that were just created for jobs that start pipelines. */
export async function delegateAttempts(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(statements.delegateAttempts, [[...ids]]);
}

/** The pipeline that its job starts is there. */
export async function followAttempt(tx: Transaction, id: string): Promise<void> {
  await tx.query(statements.followAttempt, [id]);
}

/** With its job's outputs and its steps. */
export async function endAttempt(
  tx: Transaction,
  id: string,
  { result, logComplete }: { result: JobResult; logComplete: boolean },
): Promise<void> {
  await tx.query(statements.endAttempt, [
    id,
    result.status,
    result.reason,
    result.message,
    result.exitCode,
    JSON.stringify(result.outputs),
    result.warnings,
    logComplete,
    JSON.stringify(result.steps),
  ]);
}

interface End {
  status: Status;
  reason: string;
  message: string | null;
}

/** Its lease has run out. */
export async function endLost(tx: Transaction, id: string, end: End): Promise<void> {
  await tx.query(statements.endLost, [id, end.status, end.reason, end.message]);
}

/** The workspace that it was to work in is gone; no runner had it. */
export async function endUnplaced(tx: Transaction, id: string, end: End): Promise<void> {
  await tx.query(statements.endUnplaced, [id, end.status, end.reason, end.message]);
}

/** Ends it without a result of its runner, from any state that allows this; the log of one that no runner had is complete. */
export async function endStopped(tx: Transaction, id: string, end: End): Promise<void> {
  await tx.query(statements.endStopped, [id, end.status, end.reason, end.message]);
}

/** Ends all open ones, and returns them. */
export async function endAllOpen(
  tx: Transaction,
  pipelineId: string,
  end: { reason: string; message: string | null },
): Promise<AttemptsRows["endAllOpen"][]> {
  return tx.query(statements.endAllOpen, [pipelineId, end.reason, end.message]);
}

/** Requests its runner to stop it; keeps the time of the first request. */
export async function requestCancel(
  tx: Transaction,
  id: string,
  cancel: { reason: string; message: string | null; status: Status; force: boolean; graceMs: number },
): Promise<void> {
  await tx.query(statements.requestCancel, [id, JSON.stringify(cancel)]);
}

/** Of the newest attempt of each job. */
export function latestReasons(
  tx: Transaction,
  jobIds: readonly string[],
): Promise<{ job_id: string; reason: string | null; message: string | null }[]> {
  return tx.query(statements.latestReasons, [[...jobIds]]);
}

/** The newest attempt of each job that is under way. */
export function latestOfUnsettled(
  tx: Transaction,
  pipelineId: string,
): Promise<(Omit<AttemptFact, "kind"> & { ended: boolean })[]> {
  return tx.query(statements.latestOfUnsettled, [pipelineId]);
}
