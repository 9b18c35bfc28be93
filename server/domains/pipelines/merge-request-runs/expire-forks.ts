/**
 * Ends runs of forks whose commit nobody has approved in time: as long as any run of the repository may wait for an approval
 * (`approval_days`), from when it was made.
 */
import { pipelineLimits } from "@forgeline/schemas/pipeline-limits/limits.ts";
import { systemActor } from "../../../platform/access/actor.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { recordAudit } from "../../operation/domain.ts";
import { endHeld } from "../runs/change-run.ts";
import { lockRun } from "../runs/run-record.ts";
import type { ForkApprovals } from "./fork-approvals.ts";
import { listUnapproved, type UnapprovedRun } from "./fork-decisions.store.ts";
import { lockSubject } from "./subjects.store.ts";

const everyMs = 60 * 60 * 1000;

export interface ForkExpiryDeps {
  db: Database;
  forkApprovals: Pick<ForkApprovals, "ended">;
}

export function createForkExpiry({ db, forkApprovals }: ForkExpiryDeps): { upkeepTasks: UpkeepTask[] } {
  /** Nothing where somebody has decided meanwhile. */
  async function expire(found: UnapprovedRun): Promise<void> {
    await db.transaction(async (tx) => {
      await lockSubject(tx, found.repository_id, found.merge_request_number ?? 0);
      const run = await lockRun(tx, found.id);
      if (run?.pipeline.status !== "awaiting_approval" || !run.pipeline.needs_approval) return;
      await endHeld(tx, run, { event: "cancel", reason: "approval_expired" });
      await recordAudit(tx, systemActor, {
        action: "pipeline.approval_expire",
        target: { type: "pipeline", id: found.id, name: `${found.repository}#${found.number}` },
        details: { fork: true, merge_request: found.merge_request_number, sha: found.sha },
      });
      await forkApprovals.ended(tx, found.id, { end: "expired", actorId: null });
    });
  }

  /** May run in many processes, and again after a crash. */
  async function run(signal: AbortSignal): Promise<void> {
    for (let after = ""; !signal.aborted;) {
      const found = await listUnapproved(db, { days: pipelineLimits.approval_days.default, after });
      for (const one of found) if (!signal.aborted) await expire(one);
      const last = found.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  return { upkeepTasks: [{ name: "end_unapproved_runs", everyMs, run }] };
}
