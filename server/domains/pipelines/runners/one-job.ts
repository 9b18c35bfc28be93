/**
 * Runners for one job: removed when their job is over, however it ended, and when they do not come at all. Their rows say by
 * themselves which these are, so that no message can be missed.
 */
import type { Database } from "../../../platform/db/database.ts";
import { recordAudit } from "../../operation/domain.ts";
import { revokeSpent } from "./one-job.store.ts";
import { runnerActor } from "./runner-actor.ts";

/** A machine may take minutes from its registration to its first connection. */
export const maxAbsentMs = 10 * 60_000;

/** Safe to run on several servers at once; returns how many were removed. */
export async function removeSpentRunners(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    const spent = await revokeSpent(tx, maxAbsentMs);
    for (const { id, name, organizationId, jobTaken } of spent) {
      await recordAudit(tx, runnerActor({ id, name }, ""), {
        action: "runner.delete",
        target: { type: "runner", id, name },
        details: { reason: jobTaken ? "its one job is over" : "it did not connect" },
        ...(organizationId !== null && { organizationId }),
      });
      await tx.notify("runner", id);
    }
    return spent.length;
  });
}
