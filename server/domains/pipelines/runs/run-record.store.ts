/** The rows of a run under its lock: read to be changed, and saved with one statement: rows, new attempts, history, version. */
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { minutesPerPoint } from "./priority.ts";
import type { RunJob, RunNode, RunPipeline, RunRecord, RunStage, Transition } from "./run-record.ts";
import type { RunRecordRows } from "./run-record.rows.ts";

export const statements = defineStatements<RunRecordRows>({
  lockPipeline: `
    select id, repository_id, number, sequence, started_sequence, status, reason, message, warnings,
    extract(epoch from now() - started_at)::float8 as running_seconds, parent_attempt_id, needs_approval
    from pipelines where id = $1 for update`,
  // A second statement on purpose: its snapshot is taken after the lock was granted.
  readParts: `
    select
    (select coalesce(json_agg(s order by s.position), '[]') from (select id, position, name, status, reason, message, warnings
       from stages where pipeline_id = $1) s) as stages,
    (select coalesce(json_agg(j order by j.position, j.combination), '[]') from (select id, position, stage_id, key,
       matrix, combination, expanded, status, reason, message, failure_allowed as allowed, attempts, environment from jobs where pipeline_id = $1) j) as jobs,
    exists (select from concurrency_slots where pipeline_id = $1) as has_slots`,
  writeRecord: `
    with changed_stages as (
      update stages t set status = c.status, reason = c.reason, message = c.message, warnings = c.warnings,
        started_at = case when c.started then coalesce(t.started_at, now()) else t.started_at end,
        finished_at = case when c.final then coalesce(t.finished_at, now()) end
      from jsonb_to_recordset($8::jsonb) as c(id text, status text, reason text, message text, warnings int,
        started boolean, final boolean)
      where t.id = c.id
    ), changed_jobs as (
      update jobs t set status = c.status, reason = c.reason, message = c.message, failure_allowed = c.allowed,
        attempts = c.attempts, environment = c.environment,
        started_at = case when c.started then coalesce(t.started_at, now()) else t.started_at end,
        finished_at = case when c.final then coalesce(t.finished_at, now()) end
      from jsonb_to_recordset($9::jsonb) as c(id text, status text, reason text, message text, allowed boolean,
        attempts int, environment text, started boolean, final boolean)
      where t.id = c.id
    ), run as (
      update pipelines set status = $2, reason = $3, message = $4, warnings = $5,
        started_at = case when $6 then coalesce(started_at, now()) else started_at end,
        started_sequence = case when $6 then sequence else started_sequence end,
        finished_at = case when $7 then coalesce(finished_at, now()) end,
        version = version + 1, updated_at = now()
      where id = $1 returning id, repository_id
    ), attempts as (
      insert into job_attempts (id, job_id, pipeline_id, repository_id, attempt, labels, placement_id, priority, turn_at, job)
      select c.id, c.job_id, run.id, run.repository_id, c.attempt, c.labels, c.placement_id, c.priority,
        now() - c.priority * interval '${minutesPerPoint} minutes', c.job
      from run, jsonb_to_recordset($10::jsonb) as c(id text, job_id text, attempt int, labels text[], placement_id text,
        priority int, job jsonb)
    ), attempt_steps as (
      insert into steps (id, attempt_id, pipeline_id, position, name, timeout_ms, idle_timeout_ms, parallel_group)
      select c.id, c.attempt_id, $1, c.position, c.name, c.timeout_ms, c.idle_timeout_ms, c.parallel_group
      from jsonb_to_recordset($11::jsonb) as c(id text, attempt_id text, position int, name text, timeout_ms bigint,
        idle_timeout_ms bigint, parallel_group int)
    )
    insert into transitions (pipeline_id, node, node_id, attempt, old_status, new_status, reason, message, actor)
    select $1, c.node, c.id, c.attempt, c.old, c.new, c.reason, c.message, coalesce(c.actor, $13)
    from rows from (jsonb_to_recordset($12::jsonb) as (node text, id text, attempt int, old text, new text, reason text,
      message text, actor text)) with ordinality as c(node, id, attempt, old, new, reason, message, actor, n)
    order by c.n`,
  lockRunOfAttempt:
    "select from pipelines where id = (select pipeline_id from job_attempts where id = $1) for update",
  raiseVersion: "update pipelines set version = version + 1, updated_at = now() where id = $1",
  raiseVersionOfHeld: `
    update pipelines p set version = p.version + 1, updated_at = now() from job_attempts a
    where a.id = $1 and a.epoch = $2 and a.state = 'leased' and p.id = a.pipeline_id returning p.id`,
});

/** Until the transaction ends; undefined when there is none. */
export function lockPipeline(tx: Transaction, pipelineId: string): Promise<RunPipeline | undefined> {
  return tx.one(statements.lockPipeline, [pipelineId]);
}

export async function readParts(
  tx: Transaction,
  pipelineId: string,
): Promise<{ stages: RunStage[]; jobs: RunJob[]; has_slots: boolean }> {
  const parts = await tx.one(statements.readParts, [pipelineId]);
  return parts ?? { stages: [], jobs: [], has_slots: false };
}

/** What ends because a user has cancelled it is decided by the workflow, which knows that user by the reason alone. */
function withActor(transition: Transition): Transition {
  const canceller = /^user:(.+)$/.exec(transition.reason ?? "")?.[1];
  return { ...transition, actor: transition.actor ?? canceller ?? null };
}

/** Saves the record's changes, its new attempts, its history and a new version. */
export async function writeRecord(tx: Transaction, run: RunRecord): Promise<void> {
  const times = (node: RunNode) => ({
    started: node.status === "running",
    final: isFinal(node.status),
  });
  await tx.query(statements.writeRecord, [
    run.pipeline.id,
    run.pipeline.status,
    run.pipeline.reason,
    run.pipeline.message,
    run.pipeline.warnings,
    run.pipeline.status === "running",
    isFinal(run.pipeline.status),
    JSON.stringify([...run.changedStages].map((stage) => ({ ...stage, ...times(stage) }))),
    JSON.stringify([...run.changedJobs].map((job) => ({ ...job, ...times(job) }))),
    JSON.stringify(run.newAttempts),
    JSON.stringify(run.newSteps),
    JSON.stringify(run.transitions.map(withActor)),
    run.actor,
  ]);
}

/** To keep the lock order, call it before anything locks the attempt. */
export async function lockRunOfAttempt(tx: Transaction, attemptId: string): Promise<void> {
  await tx.query(statements.lockRunOfAttempt, [attemptId]);
}

/** For a change that is visible in the run although none of its own rows changed. */
export async function raiseVersion(tx: Transaction, pipelineId: string): Promise<void> {
  await tx.query(statements.raiseVersion, [pipelineId]);
}

/** Locks the run of a lease that is still held and raises its version; undefined when the lease is not held. */
export async function raiseVersionOfHeld(
  tx: Transaction,
  lease: { attemptId: string; epoch: number },
): Promise<string | undefined> {
  const row = await tx.one(statements.raiseVersionOfHeld, [lease.attemptId, lease.epoch]);
  return row?.id;
}
