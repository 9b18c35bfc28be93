/** Runners for one job whose time is over. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { OneJobRows } from "./one-job.rows.ts";

const holds =
  "exists (select from job_attempts h where h.runner_id = r.id and h.state in ('offered', 'leased'))";

export const statements = defineStatements<OneJobRows>({
  revokeSpent: `
    update runners r set revoked_at = now(), updated_at = now()
    where r.one_job and r.revoked_at is null and not ${holds}
      and (r.job_taken or (r.instance_id is null
        and greatest(r.created_at, r.last_seen_at) < now() - $1 * interval '1 millisecond'))
    returning r.id, r.name, r.organization_id as "organizationId", r.job_taken as "jobTaken"`,
});

/** Revokes those whose job has ended, was lost or taken away, and those that have not been connected for so long. */
export async function revokeSpent(tx: Transaction, absentMs: number): Promise<OneJobRows["revokeSpent"][]> {
  return tx.query(statements.revokeSpent, [absentMs]);
}
