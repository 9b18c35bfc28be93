/** What people change of a run beside its statuses: the reason of a cancel, and what a rerun begins anew. */
import type { Plan } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Transaction } from "../../../platform/db/database.ts";

/** The first one stays. */
export async function keepCancelReason(tx: Transaction, pipelineId: string, reason: string): Promise<void> {
  await tx.query("update pipelines set cancel_reason = coalesce(cancel_reason, $2) where id = $1", [
    pipelineId,
    reason,
  ]);
}

export async function readCancelReason(tx: Transaction, pipelineId: string): Promise<string | null> {
  const row = await tx.one<{ cancel_reason: string | null }>(
    "select cancel_reason from pipelines where id = $1",
    [pipelineId],
  );
  return row?.cancel_reason ?? null;
}

/** null where the file was not run. */
export async function readPlan(tx: Transaction, pipelineId: string): Promise<Plan | null> {
  const row = await tx.one<{ plan: Plan | null }>("select plan from pipelines where id = $1", [pipelineId]);
  return row?.plan ?? null;
}

/** The next sequence of the run, without what the jobs, by key, had put out; `whole`: it starts as if it were new. */
export async function reopen(
  tx: Transaction,
  pipelineId: string,
  { jobs, whole }: { jobs: readonly string[]; whole: boolean },
): Promise<void> {
  await tx.query(
    `with reset as (update jobs set started_at = null, outputs = '{}' where pipeline_id = $1 and key = any($2))
     update pipelines set sequence = sequence + 1, cancel_reason = null,
       started_at = case when $3 then null else started_at end where id = $1`,
    [pipelineId, [...jobs], whole],
  );
}
