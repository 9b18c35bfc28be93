/** Handles leases whose runner is silent: shows them as unreachable, and later reclaims them. */
import type { Database } from "../../../platform/db/database.ts";
import { recordAttemptReclaimed } from "../runs/attempt-facts.ts";
import { lockRunOfAttempt, raiseVersion } from "../runs/run-record.store.ts";
import { lockLapsed, setUnreachable } from "./silence.store.ts";

/** Marks silent leases as unreachable; returns how many. */
export async function markUnreachable(db: Database, unreachableMs: number): Promise<number> {
  const rows = await setUnreachable(db, unreachableMs);
  await announceRuns(db, rows);
  return rows.length;
}

/** Makes the change of `unreachable` visible: a new version of each run, and a notification to its viewers. */
export async function announceRuns(db: Database, rows: readonly { pipelineId: string }[]): Promise<void> {
  const ids = [...new Set(rows.map((row) => row.pipelineId))].sort();
  for (const id of ids)
    await db.transaction(async (tx) => {
      await raiseVersion(tx, id);
      await tx.notify("run", id);
    });
}

/** Takes the lease away if it still has run out once everything is locked. */
export async function reclaim(db: Database, attemptId: string, reclaimMs: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockRunOfAttempt(tx, attemptId);
    return (await lockLapsed(tx, attemptId, reclaimMs)) && recordAttemptReclaimed(tx, { attemptId });
  });
}
