/** Changes of a run other than statuses: the reason of a cancellation, and the reset for a rerun. */
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { RunStarts } from "./create-run.ts";
import type { RunChangesRows } from "./run-changes.rows.ts";

export const statements = defineStatements<RunChangesRows>({
  keepCancelReason: "update pipelines set cancel_reason = coalesce(cancel_reason, $2) where id = $1",
  readCancelReason: "select cancel_reason from pipelines where id = $1",
  releaseHeld: "update pipelines set needs_approval = false where id = $1",
  findKept: `
    select p.id from pipelines p where p.id = $1 and (p.head_sha is null or p.head_sha = p.sha
      or exists (select from merged_results m where m.repository_id = p.repository_id and m.sha = p.sha))`,
  readPlan: "select plan from pipelines where id = $1",
  reopen: `
    with reset as (
      update jobs set started_at = null, outputs = '{}', debug = $7,
        expanded = expanded and not key = any($4)
      where pipeline_id = $1 and id = any($2)
    )
    update pipelines set sequence = sequence + 1, cancel_reason = null, starts_as = $5, starts_elsewhere = $6,
      started_at = case when $3 then null else started_at end where id = $1`,
});

/** The first one is kept. */
export async function keepCancelReason(tx: Transaction, pipelineId: string, reason: string): Promise<void> {
  await tx.query(statements.keepCancelReason, [pipelineId, reason]);
}

export async function readCancelReason(tx: Transaction, pipelineId: string): Promise<string | null> {
  const row = await tx.one(statements.readCancelReason, [pipelineId]);
  return row?.cancel_reason ?? null;
}

/** Its commit, which comes from a fork, was approved. */
export async function releaseHeld(tx: Transaction, pipelineId: string): Promise<void> {
  await tx.query(statements.releaseHeld, [pipelineId]);
}

/** Whether its commit is kept; a merged result is so as long as runs of it make sense. */
export async function isCommitKept(tx: Transaction, pipelineId: string): Promise<boolean> {
  return (await tx.one(statements.findKept, [pipelineId])) !== undefined;
}

/** null where the file was not run. */
export async function readPlan(tx: Transaction, pipelineId: string): Promise<Plan | null> {
  const row = await tx.one(statements.readPlan, [pipelineId]);
  return row?.plan ?? null;
}

/**
 * Begins the next sequence of the run, removes the outputs of these jobs and lets them have debug output or not; `whole`: it starts as if it were new. The matrices of
 * the jobs with the keys in `expandAgain` are expanded again. What it starts from now on is started for whoever runs it again.
 */
export async function reopen(
  tx: Transaction,
  pipelineId: string,
  {
    jobIds,
    whole,
    expandAgain,
    starts,
    debug,
  }: {
    jobIds: readonly string[];
    whole: boolean;
    expandAgain: readonly string[];
    starts: RunStarts;
    debug: boolean;
  },
): Promise<void> {
  const { userId, elsewhere } = starts;
  await tx.query(statements.reopen, [
    pipelineId,
    [...jobIds],
    whole,
    [...expandAgain],
    userId,
    elsewhere,
    debug,
  ]);
}
