/**
 * What a runner reports while it executes, each report one transaction and idempotent. The run's row is locked
 * before the attempt's (the lock order of `pipelines/run-record.ts`).
 */
import type { StepResult } from "@forgeline/schemas/runner/lease.ts";
import type { Database, Transaction } from "../../db/database.ts";
import { newId } from "../../platform/ids.ts";
import { recordAttemptStarted } from "../pipelines/attempt-facts.ts";
import type { LeaseName } from "./leases.ts";

/** False: the lease is stale. */
export async function reportStarted(db: Database, report: LeaseName & { timeMs: number }): Promise<boolean> {
  return db.transaction((tx) => recordAttemptStarted(tx, report));
}

/** Locks the run of a lease that is still held; undefined when it is not. */
async function lockHeldRun(tx: Transaction, lease: LeaseName): Promise<string | undefined> {
  const row = await tx.one<{ id: string }>(
    `update pipelines p set version = p.version + 1, updated_at = now() from job_attempts a
     where a.id = $1 and a.epoch = $2 and a.state = 'leased' and p.id = a.pipeline_id returning p.id`,
    [lease.attemptId, lease.epoch],
  );
  return row?.id;
}

const stepStartedStatement = `
  with held as (
    update job_attempts set begun = true where id = $1 and epoch = $2 and state = 'leased'
    returning id, pipeline_id, attempt
  ), before as (
    select s.position, s.status from steps s join held on held.id = s.attempt_id where s.position = $4
  ), changed as (
    insert into steps as s (id, attempt_id, pipeline_id, position, name, status, started_at, recorded_at)
    select $3, held.id, held.pipeline_id, $4, $5, 'running', least(now(), to_timestamp($6 / 1000.0)), now() from held
    on conflict (attempt_id, position) do update set status = 'running', name = excluded.name,
      started_at = excluded.started_at, recorded_at = now()
    where s.status = 'created'
    returning s.id
  ), noted as (
    insert into transitions (pipeline_id, node, node_id, attempt, old_status, new_status)
    select held.pipeline_id, 'step', changed.id, held.attempt, (select status from before), 'running'
    from held, changed
  )
  select true as held from held`;

/** A step began. `timeMs` is the runner's time, corrected by its clock's offset. False: the lease is stale. */
export async function reportStepStarted(
  db: Database,
  report: LeaseName & { position: number; name: string; timeMs: number },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const pipelineId = await lockHeldRun(tx, report);
    if (!pipelineId) return false;
    const held = await tx.one(stepStartedStatement, [
      report.attemptId,
      report.epoch,
      newId("step"),
      report.position,
      report.name,
      report.timeMs,
    ]);
    await tx.notify("run", pipelineId);
    return held !== undefined;
  });
}

const stepEndedStatement = `
  with held as (
    select id, pipeline_id, attempt from job_attempts where id = $1 and epoch = $2 and state = 'leased'
    for no key update
  ), before as (
    select s.id, s.status from steps s join held on held.id = s.attempt_id where s.position = $4
  ), changed as (
    insert into steps as s (id, attempt_id, pipeline_id, position, name, status, reason, message, exit_code,
      started_at, finished_at)
    select $3, held.id, held.pipeline_id, $4, 'step ' || ($4 + 1), $5, $6, $7, $8,
      case when $9::float8 is not null then least(now(), to_timestamp($9::float8 / 1000.0)) end,
      least(now(), to_timestamp($10::float8 / 1000.0)) from held
    on conflict (attempt_id, position) do update set status = excluded.status, reason = excluded.reason,
      message = excluded.message, exit_code = excluded.exit_code,
      started_at = coalesce(s.started_at, excluded.started_at),
      finished_at = greatest(coalesce(s.started_at, excluded.started_at), excluded.finished_at)
    where s.status in ('created', 'waiting', 'queued', 'running', 'cancelling')
    returning s.id
  ), noted as (
    insert into transitions (pipeline_id, node, node_id, attempt, old_status, new_status, reason, message)
    select held.pipeline_id, 'step', changed.id, held.attempt, (select status from before), $5, $6, $7
    from held, changed
  )
  select true as held from held`;

/** A step ended or was skipped. False: the lease is stale. */
export async function reportStepEnded(
  db: Database,
  report: LeaseName & { step: StepResult },
): Promise<boolean> {
  const { step } = report;
  return db.transaction(async (tx) => {
    const pipelineId = await lockHeldRun(tx, report);
    if (!pipelineId) return false;
    const held = await tx.one(stepEndedStatement, [
      report.attemptId,
      report.epoch,
      newId("step"),
      step.position,
      step.status,
      step.reason,
      step.message,
      step.exitCode,
      step.startedAtMs,
      step.finishedAtMs,
    ]);
    await tx.notify("run", pipelineId);
    return held !== undefined;
  });
}
