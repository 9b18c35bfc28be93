/**
 * Leases whose runner is silent, as rows of `job_attempts`. Ages are differences of database times, and only server
 * up-time counts.
 */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { attemptSql } from "../runs/attempt-states.ts";
import { endsWhenLostSql } from "../runs/lost-attempts.ts";
import type { SilenceRows } from "./silence.rows.ts";

const silence = `now() - greatest(a.lease_renewed_at, u.up_since)`;

export const statements = defineStatements<SilenceRows>({
  setUnreachable: `
    update job_attempts set unreachable = true where id in (
        select a.id from job_attempts a cross join server_uptime u
        where a.state = 'leased' and not a.unreachable and ${silence} > $1 * interval '1 millisecond'
        for update of a skip locked)
      returning pipeline_id as "pipelineId"`,
  findLapsed: `
    select a.id from job_attempts a cross join server_uptime u
    where a.state in (${attemptSql.from("lapse")}) and ${endsWhenLostSql} and ${silence} > $1 * interval '1 millisecond'`,
  lockLapsed: `
    select a.id from job_attempts a cross join server_uptime u
    where a.id = $1 and a.state in (${attemptSql.from("lapse")}) and ${endsWhenLostSql}
      and ${silence} > $2 * interval '1 millisecond' for update of a`,
});

/** Those not marked yet; returns the run of each. */
export async function setUnreachable(
  db: Queryable,
  unreachableMs: number,
): Promise<{ pipelineId: string }[]> {
  return db.query(statements.setUnreachable, [unreachableMs]);
}

/** Attempts whose lease has run out. */
export async function findLapsed(db: Queryable, reclaimMs: number): Promise<string[]> {
  const rows = await db.query(statements.findLapsed, [reclaimMs]);
  return rows.map((row) => row.id);
}

/** False when it has not run out (any more); locks it otherwise. */
export async function lockLapsed(tx: Transaction, attemptId: string, reclaimMs: number): Promise<boolean> {
  const lapsed = await tx.one(statements.lockLapsed, [attemptId, reclaimMs]);
  return lapsed !== undefined;
}
