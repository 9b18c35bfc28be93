/** What was signed of attempts when they were queued. Rows are never changed. */
import type { SignedJob } from "@forgeline/schemas/runner-protocol/signed-job.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SignedJobsRows } from "./signed-jobs.rows.ts";

export const statements = defineStatements<SignedJobsRows>({
  insert: `
    insert into signed_jobs (attempt_id, payload, signatures)
    select s.attempt_id, s.payload, s.signatures
    from unnest($1::text[], $2::text[], $3::jsonb[]) as s (attempt_id, payload, signatures)`,
});

export async function insert(
  tx: Transaction,
  signed: readonly (SignedJob & { attemptId: string })[],
): Promise<void> {
  const attemptIds = signed.map(({ attemptId }) => attemptId);
  const payloads = signed.map(({ payload }) => payload);
  const signatures = signed.map((job) => JSON.stringify(job.signatures));
  await tx.query(statements.insert, [attemptIds, payloads, signatures]);
}
