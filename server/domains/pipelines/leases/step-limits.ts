/**
 * A second check of step and silence limits, after the runner's own: by database time, a little later than the runner, and once
 * per attempt. A lease that is not being renewed is left alone: its output may be on its way.
 */
import type { Database } from "../../../platform/db/database.ts";
import { cancelUnasked, type Overdue } from "./overdue.store.ts";

/** Asks the runner to stop the attempt, unless that was already requested. */
export async function cancelOverdue(db: Database, overdue: Overdue): Promise<boolean> {
  const seconds = Math.round(overdue.limitMs / 1000);
  const message =
    overdue.limit === "timeout"
      ? `Step "${overdue.name}" ran longer than its ${seconds} s.`
      : `Step "${overdue.name}" printed nothing for ${seconds} s.`;
  const cancel = { reason: overdue.limit, message, status: "failed", force: false };
  return db.transaction(async (tx) => {
    const asked = await cancelUnasked(tx, overdue, JSON.stringify(cancel));
    if (asked) await tx.notify("attempt", overdue.attemptId);
    return asked;
  });
}
