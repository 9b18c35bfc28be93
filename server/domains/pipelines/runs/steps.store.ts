/** Rows of `steps`, with their history. They are made with their attempt. */
import type { StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { StepsRows } from "./steps.rows.ts";

/** Characters of a step's name; people read no more. */
const maxNameLength = 1_000;

export const statements = defineStatements<StepsRows>({
  // The plan names a step; the runner's value is used only if the plan has an expression.
  startStep: `
    with held as (
      update job_attempts set begun = true where id = $1 and epoch = $2 and state = 'leased'
      returning id, pipeline_id, attempt
    ), before as (
      select s.id, s.status from steps s join held on held.id = s.attempt_id where s.position = $3
    ), changed as (
      update steps s set status = 'running', recorded_at = now(),
        started_at = least(now(), to_timestamp($5 / 1000.0)),
        name = case when s.name like '%\${{%' then left($4, ${maxNameLength}) else s.name end
      from before where s.id = before.id and s.status = 'created'
      returning s.id
    ), noted as (
      insert into transitions (pipeline_id, node, node_id, attempt, old_status, new_status)
      select held.pipeline_id, 'step', changed.id, held.attempt, (select status from before), 'running'
      from held, changed
    )
    select exists (select from before) as "isPlanned" from held`,
  endStep: `
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
    select exists (select from before) as "isPlanned" from held`,
  endOpenSteps: `
    with open as (
      select s.id, s.status, a.attempt, s.status in ('running', 'cancelling') as begun
      from steps s join job_attempts a on a.id = s.attempt_id
      where s.attempt_id = any($1) and s.status not in ('success', 'failed', 'error', 'cancelled', 'skipped')
    ), ended as (
      update steps s set reason = $3, finished_at = case when open.begun then now() end,
        status = case when open.begun or $2 = 'cancelled' then $2 else 'skipped' end,
        message = case when open.begun then $4 else 'The step was not reached.' end
      from open where s.id = open.id
      returning s.id, s.pipeline_id, open.attempt, open.status as old, s.status, s.reason, s.message
    )
    insert into transitions (pipeline_id, node, node_id, attempt, old_status, new_status, reason, message)
    select pipeline_id, 'step', id, attempt, old, status, reason, message from ended`,
});

interface Held {
  attemptId: string;
  epoch: number;
}

/** Whether the attempt has such a step; undefined when the lease is not held. */
type Planned = { isPlanned: boolean } | undefined;

export function startStep(
  tx: Transaction,
  step: Held & { position: number; name: string; timeMs: number },
): Promise<Planned> {
  const { attemptId, epoch, position, name, timeMs } = step;
  return tx.one(statements.startStep, [attemptId, epoch, position, name, timeMs]);
}

export function endStep(tx: Transaction, lease: Held, step: StepResult): Promise<Planned> {
  return tx.one(statements.endStep, [
    lease.attemptId,
    lease.epoch,
    step.position,
    step.status,
    step.reason,
    step.message,
    step.exitCode,
    step.startedAtMs,
    step.finishedAtMs,
  ]);
}

/**
 * Ends steps without a result of their runner: a started step ends like its attempt; the others were skipped, or cancelled with
 * it.
 */
export async function endOpenSteps(
  tx: Transaction,
  attemptIds: readonly string[],
  end: { status: Status; reason: string; message: string | null },
): Promise<void> {
  await tx.query(statements.endOpenSteps, [[...attemptIds], end.status, end.reason, end.message]);
}
