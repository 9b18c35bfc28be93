/**
 * A person says that a silent runner will not come back. Its attempt ends as when a lease runs out, which attempts of jobs with
 * `rerun_if_lost: false` otherwise never do once they have begun; the workflow decides what follows.
 */
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { recordAudit } from "../../operation/domain.ts";
import { recordAttemptReclaimed } from "./attempt-facts.ts";
import { lockHeldAttempt } from "./attempts.store.ts";
import { lockRun } from "./run-record.ts";

/** Throws `not_found` for a job of another run, `conflict` unless a runner has the job and is silent. */
export async function declareLost(
  db: Database,
  actor: Actor,
  { pipelineId, jobId, name }: { pipelineId: string; jobId: string; name: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const run = await lockRun(tx, pipelineId);
    const job = run?.jobs.find((candidate) => candidate.id === jobId);
    if (!job) throw new AppError("not_found");
    const held = await lockHeldAttempt(tx, jobId);
    if (!held) throw new AppError("conflict", { message: `No runner has the job: it is ${job.status}.` });
    if (!held.unreachable)
      throw new AppError("conflict", {
        message: "The runner of the job answers. To end the job, cancel the run.",
      });
    await recordAttemptReclaimed(tx, { attemptId: held.id, declaredBy: actor.username });
    await recordAudit(tx, actor, {
      action: "pipeline.declare_lost",
      target: { type: "pipeline", id: pipelineId, name },
      details: { job: job.key, job_id: jobId, attempt: held.attempt },
    });
  });
}
