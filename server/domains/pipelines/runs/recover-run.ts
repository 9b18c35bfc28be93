/**
 * Open runs whose workflow has ended: because somebody ended it in Temporal, or because of a bug. They would never continue, so
 * an administrator restarts the workflow or ends the run.
 */
import type { AttemptFact } from "@forgeline/schemas/pipelines/workflow.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { tellSuperseded } from "../concurrency/take-slots.ts";
import { latestOfUnsettled } from "./attempts.store.ts";
import type { ForkApprovals } from "../merge-request-runs/fork-approvals.ts";
import { cancelRun } from "./change-run.ts";
import { finishRun } from "./finish-run.ts";
import { readCancelReason } from "./run-changes.store.ts";
import { lockRun, type RunRecord } from "./run-record.ts";
import { runStateOf, runStates } from "./run-states.ts";
import { addRunIntent } from "./run-intents.ts";

export interface RecoveredRun {
  pipelineId: string;
  sequence: number;
  /** `OWNER/NAME#NUMBER`. */
  name: string;
}

export interface RunRecovery {
  /** Like the cancel operation of the run. Throws `conflict` if it has ended. */
  cancel(actor: Actor, run: RecoveredRun): Promise<void>;
  /**
   * Restarts the workflow, which reads the run's progress from the database, and sends again the signals that the previous one
   * may have missed. Throws `conflict` if the run has ended.
   */
  resume(actor: Actor, run: RecoveredRun): Promise<void>;
  /**
   * Ends the run and everything still running in it as `error`. `stop` ends the workflow; if it throws, nothing has changed.
   * Throws `conflict` if the run has ended.
   */
  end(
    actor: Actor,
    run: RecoveredRun,
    stop: { requestId: string; workflow: () => Promise<void> },
  ): Promise<void>;
}

export function createRunRecovery(db: Database, forkApprovals?: Pick<ForkApprovals, "ended">): RunRecovery {
  const told = forkApprovals ? { forkApprovals } : {};
  return {
    cancel: (actor, { pipelineId, name }) =>
      cancelRun(db, actor, { pipelineId, name, force: false, ...told }),
    resume: (actor, run) =>
      db.transaction(async (tx) => {
        const open = await lockOpen(tx, run, "resume");
        if (open.pipeline.needs_approval)
          throw new AppError("conflict", { message: "The run waits until somebody approves its commit." });
        await recordAudit(tx, actor, {
          action: "admin.work_retry",
          target: { type: "pipeline", id: run.pipelineId, name: run.name },
          details: { kind: "pipeline_run" },
        });
        const { pipelineId, sequence } = run;
        const { repository_id: repositoryId } = open.pipeline;
        await addRunIntent(tx, repositoryId, { kind: "resume_pipeline", pipelineId, sequence });
        for (const fact of await missedFacts(tx, pipelineId))
          await addRunIntent(tx, repositoryId, { kind: "attempt_fact", pipelineId, sequence, fact });
        await tellSuperseded(tx, { repositoryId, pipelineId, sequence });
        const reason = await readCancelReason(tx, pipelineId);
        const request = { reason: reason ?? "", force: false };
        if (reason !== null)
          await addRunIntent(tx, repositoryId, { kind: "cancel_pipeline", pipelineId, sequence, request });
      }),
    end: (actor, run, stop) =>
      db.transaction(async (tx) => {
        const open = await lockOpen(tx, run, "end");
        open.actor = actor.username;
        await recordAudit(tx, actor, {
          action: "pipeline.cancel",
          target: { type: "pipeline", id: run.pipelineId, name: run.name },
          details: { force: true, work_ended: true },
        });
        const { pipelineId, sequence } = run;
        const reason = `internal:${stop.requestId}`;
        await finishRun(tx, open, { pipelineId, sequence, jobs: [], reason });
        await stop.workflow();
      }),
  };
}

async function lockOpen(tx: Transaction, run: RecoveredRun, event: "resume" | "end"): Promise<RunRecord> {
  const found = await lockRun(tx, run.pipelineId);
  if (!found) throw new AppError("conflict", { message: "The run no longer exists." });
  const { status, sequence } = found.pipeline;
  if (!runStates.next(runStateOf(status), event) || sequence !== run.sequence)
    throw new AppError("conflict", {
      message: `This run is over: ${sequence === run.sequence ? status : "it was run again"}.`,
    });
  return found;
}

/** Signals for the latest attempt of each unsettled job: that it was started or has ended. Repeated signals are harmless. */
async function missedFacts(tx: Transaction, pipelineId: string): Promise<AttemptFact[]> {
  const rows = await latestOfUnsettled(tx, pipelineId);
  return rows
    .filter(({ ended, status }) => ended || status === "running")
    .map(({ ended, ...fact }) => ({ ...fact, kind: ended ? "done" : "started" }));
}
