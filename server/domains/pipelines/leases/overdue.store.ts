/** Steps that run for too long, by the database's times. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { attemptSql } from "../runs/attempt-states.ts";
import type { OverdueRows } from "./overdue.rows.ts";

export type Overdue = RowOf<typeof statements.findOverdue>;

/** Time before this does not count: both sides have been connected since then. */
const inTouchSince = "greatest(r.connected_at, u.up_since)";
const idleSince = `greatest(s.recorded_at, ${inTouchSince}, (select max(l.last_output_at) from log_streams l
  where l.attempt_id = a.id and l.step = s.position))`;

interface Known {
  /** No step without a limit is past it. */
  findOverdue: { limitMs: number };
}

export const statements = defineStatements<OverdueRows, Known>({
  findOverdue: `
    select a.id as "attemptId", a.epoch, s.name,
      case when timed_out then 'timeout' else 'idle_timeout' end as "limit",
      case when timed_out then s.timeout_ms else s.idle_timeout_ms end as "limitMs"
    from steps s join job_attempts a on a.id = s.attempt_id join runners r on r.id = a.runner_id
    cross join server_uptime u
    cross join lateral (select
      coalesce(s.recorded_at + (s.timeout_ms + $1) * interval '1 millisecond' < now(), false) as timed_out,
      coalesce(${idleSince} + (s.idle_timeout_ms + $1) * interval '1 millisecond' < now(), false) as silent) o
    where s.status = 'running' and a.state in (${attemptSql.from("overrun")}) and a.cancel is null
      and a.lease_renewed_at > now() - $2 * interval '1 millisecond' and (o.timed_out or o.silent)
    order by s.attempt_id, s.position`,
  cancelUnasked: `
    update job_attempts set cancel = $3::jsonb || jsonb_build_object('at', now())
    where id = $1 and epoch = $2 and state in (${attemptSql.from("overrun")}) and cancel is null returning id`,
});

export async function findOverdue(
  db: Queryable,
  bounds: { slackMs: number; freshMs: number },
): Promise<Overdue[]> {
  return db.query(statements.findOverdue, [bounds.slackMs, bounds.freshMs]);
}

/** False if a stop was already requested, or the lease has ended. `cancel` is JSON. */
export async function cancelUnasked(
  tx: Transaction,
  lease: { attemptId: string; epoch: number },
  cancel: string,
): Promise<boolean> {
  const row = await tx.one(statements.cancelUnasked, [lease.attemptId, lease.epoch, cancel]);
  return row !== undefined;
}
