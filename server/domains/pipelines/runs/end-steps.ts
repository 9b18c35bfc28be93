/** Steps of attempts that end without their runner's word, with their history. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";

const statement = `
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
select pipeline_id, 'step', id, attempt, old, status, reason, message from ended`;

/** What had begun ends as its attempt does; the others were skipped, or cancelled with it. */
export async function endSteps(
  tx: Transaction,
  attemptIds: readonly string[],
  end: { status: Status; reason: string; message: string | null },
): Promise<void> {
  await tx.query(statement, [[...attemptIds], end.status, end.reason, end.message]);
}
