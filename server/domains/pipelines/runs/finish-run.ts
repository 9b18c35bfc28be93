/** The end of a run: the last jobs are settled and the run gets its final status, in one transaction. */
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { FinishRun } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { endAllOpen } from "./attempts.store.ts";
import { reasonSentence } from "./reasons.ts";
import { saveRun, setJob, type RunRecord } from "./run-record.ts";
import { endOpenSteps } from "./steps.store.ts";
import { settleRows } from "./settle-jobs.ts";

/** With reason `internal:<id>` what is still open is ended too, so that no run stays open for ever. */
export async function finishRun(tx: Transaction, run: RunRecord, input: FinishRun): Promise<void> {
  const { reason } = input;
  const message = reasonSentence(reason);
  if (reason && message) run.pipelineReason = { reason, message };
  await settleRows(tx, run, input.jobs);
  if (reason?.startsWith("internal:")) {
    await endAttempts(tx, run.pipeline.id, reason);
    for (const job of run.jobs)
      if (!isFinal(job.status)) setJob(run, job, { status: "error", reason, message });
  }
  if (run.changedJobs.size > 0 || !isFinal(run.pipeline.status)) await saveRun(tx, run);
}

async function endAttempts(tx: Transaction, pipelineId: string, reason: string): Promise<void> {
  const message = reasonSentence(reason);
  const ended = await endAllOpen(tx, pipelineId, { reason, message });
  await endOpenSteps(tx, ended, { status: "error", reason, message });
  for (const attemptId of ended) await tx.notify("attempt", attemptId);
}
