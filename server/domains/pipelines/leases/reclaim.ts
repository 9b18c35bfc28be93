/**
 * What becomes of leases whose runner is silent: shown as unreachable, later taken away. Ages are differences of
 * database times, and only server up-time counts.
 */
import type { Database } from "../../../platform/db/database.ts";
import { recordAttemptReclaimed } from "../runs/attempt-facts.ts";

const silence = `now() - greatest(a.lease_renewed_at, u.up_since)`;
/** Begun and not to be run twice: it stays with its runner until a timeout or a person ends it. */
const mayBeReclaimed = `not (a.begun and a.job ->> 'rerunIfLost' = 'false')`;

/** Marks silent leases as unreachable; returns how many. */
export async function markUnreachable(db: Database, unreachableMs: number): Promise<number> {
  const rows = await db.query<{ pipelineId: string }>(
    `update job_attempts set unreachable = true where id in (
         select a.id from job_attempts a cross join server_uptime u
         where a.state = 'leased' and not a.unreachable and ${silence} > $1 * interval '1 millisecond'
         for update of a skip locked)
       returning pipeline_id as "pipelineId"`,
    [unreachableMs],
  );
  await announceRuns(db, rows);
  return rows.length;
}

/** Makes the change of `unreachable` visible: a new version of each run, and word to its viewers. */
export async function announceRuns(db: Database, rows: readonly { pipelineId: string }[]): Promise<void> {
  const ids = [...new Set(rows.map((row) => row.pipelineId))].sort();
  for (const id of ids)
    await db.transaction(async (tx) => {
      await tx.query("update pipelines set version = version + 1, updated_at = now() where id = $1", [id]);
      await tx.notify("run", id);
    });
}

/** Attempts whose lease has run out. */
export async function findLapsed(db: Database, reclaimMs: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select a.id from job_attempts a cross join server_uptime u
     where a.state = 'leased' and ${mayBeReclaimed} and ${silence} > $1 * interval '1 millisecond'`,
    [reclaimMs],
  );
  return rows.map((row) => row.id);
}

/** Takes the lease away if it still has run out once everything is locked. */
export async function reclaim(db: Database, attemptId: string, reclaimMs: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query(
      "select from pipelines where id = (select pipeline_id from job_attempts where id = $1) for update",
      [attemptId],
    );
    const lapsed = await tx.one(
      `select a.id from job_attempts a cross join server_uptime u
       where a.id = $1 and a.state = 'leased' and ${mayBeReclaimed}
         and ${silence} > $2 * interval '1 millisecond' for update of a`,
      [attemptId, reclaimMs],
    );
    return lapsed !== undefined && recordAttemptReclaimed(tx, { attemptId });
  });
}
