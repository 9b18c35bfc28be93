/**
 * What a runner reports while it executes, each report one transaction and idempotent. The run's row is locked
 * before the attempt's (the lock order of `pipelines/run-record.ts`). Steps are rows since the attempt was made: a
 * report changes the one that it names, and none can be made up.
 */
import type { StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { recordAttemptStarted } from "../runs/attempt-facts.ts";
import type { LeaseName } from "./leases.ts";

/** `unknown_step`: the job's plan has no step there. */
export type StepReport = "taken" | "stale" | "unknown_step";

/** As much as people read. */
const longestName = 1_000;

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

// What people call a step is the plan's to say; only where the plan has an expression is the value the runner's to give.
const stepStartedStatement = `
  with held as (
    update job_attempts set begun = true where id = $1 and epoch = $2 and state = 'leased'
    returning id, pipeline_id, attempt
  ), before as (
    select s.id, s.status from steps s join held on held.id = s.attempt_id where s.position = $3
  ), changed as (
    update steps s set status = 'running', recorded_at = now(),
      started_at = least(now(), to_timestamp($5 / 1000.0)),
      name = case when s.name like '%\${{%' then left($4, ${longestName}) else s.name end
    from before where s.id = before.id and s.status = 'created'
    returning s.id
  ), noted as (
    insert into transitions (pipeline_id, node, node_id, attempt, old_status, new_status)
    select held.pipeline_id, 'step', changed.id, held.attempt, (select status from before), 'running'
    from held, changed
  )
  select exists (select from before) as "isPlanned" from held`;

/** A step began. `timeMs` is the runner's time, corrected by its clock's offset. */
export async function reportStepStarted(
  db: Database,
  report: LeaseName & { position: number; name: string; timeMs: number },
): Promise<StepReport> {
  const { attemptId, epoch, position, name, timeMs } = report;
  return changeStep(db, report, stepStartedStatement, [attemptId, epoch, position, name, timeMs]);
}

const stepEndedStatement = `
  with held as (
    select id, pipeline_id, attempt from job_attempts where id = $1 and epoch = $2 and state = 'leased'
    for no key update
  ), before as (
    select s.id, s.status from steps s join held on held.id = s.attempt_id where s.position = $3
  ), changed as (
    update steps s set status = $4, reason = $5, message = $6, exit_code = $7,
      started_at = coalesce(s.started_at, said.started_at),
      finished_at = greatest(coalesce(s.started_at, said.started_at), said.finished_at)
    from before, (select
      case when $8::float8 is not null then least(now(), to_timestamp($8::float8 / 1000.0)) end as started_at,
      least(now(), to_timestamp($9::float8 / 1000.0)) as finished_at) said
    where s.id = before.id and s.status in ('created', 'waiting', 'queued', 'running', 'cancelling')
    returning s.id
  ), noted as (
    insert into transitions (pipeline_id, node, node_id, attempt, old_status, new_status, reason, message)
    select held.pipeline_id, 'step', changed.id, held.attempt, (select status from before), $4, $5, $6
    from held, changed
  )
  select exists (select from before) as "isPlanned" from held`;

/** A step ended or was skipped. */
export async function reportStepEnded(
  db: Database,
  report: LeaseName & { step: StepResult },
): Promise<StepReport> {
  const { attemptId, epoch, step } = report;
  return changeStep(db, report, stepEndedStatement, [
    attemptId,
    epoch,
    step.position,
    step.status,
    step.reason,
    step.message,
    step.exitCode,
    step.startedAtMs,
    step.finishedAtMs,
  ]);
}

async function changeStep(
  db: Database,
  lease: LeaseName,
  statement: string,
  values: readonly unknown[],
): Promise<StepReport> {
  return db.transaction(async (tx) => {
    const pipelineId = await lockHeldRun(tx, lease);
    if (!pipelineId) return "stale";
    const held = await tx.one<{ isPlanned: boolean }>(statement, [...values]);
    await tx.notify("run", pipelineId);
    if (!held) return "stale";
    return held.isPlanned ? "taken" : "unknown_step";
  });
}
