/** The end of a run: the last jobs are settled and the run gets its final status, in one transaction. */
import type { FinishRun } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { endAllOpen } from "./attempts.store.ts";
import { cancelFollowed } from "./cancel-child.ts";
import { endDeployment } from "./count-ends.ts";
import { reasonSentence } from "./reasons.ts";
import { moveJob, saveRun, type RunRecord } from "./run-record.ts";
import { runStateOf, runStates } from "./run-states.ts";
import { endOpenSteps } from "./steps.store.ts";
import { settleRows } from "./settle-jobs.ts";

/** With reason `internal:<id>`, open jobs are ended too, so that no run stays open forever. */
export async function finishRun(tx: Transaction, run: RunRecord, input: FinishRun): Promise<void> {
  const { reason } = input;
  const message = reasonSentence(reason);
  if (reason && message) run.pipelineReason = { reason, message };
  await settleRows(tx, run, input.jobs);
  if (reason?.startsWith("internal:")) {
    await cancelFollowed(tx, run.pipeline.id);
    await endAttempts(tx, run.pipeline.id, reason);
    for (const job of run.jobs) moveJob(run, job, { event: "abandon", reason, message });
  }
  if (run.changedJobs.size > 0 || runStates.next(runStateOf(run.pipeline.status), "finish"))
    await saveRun(tx, run);
}

async function endAttempts(tx: Transaction, pipelineId: string, reason: string): Promise<void> {
  const message = reasonSentence(reason);
  const ended = await endAllOpen(tx, pipelineId, { reason, message });
  const ids = ended.map(({ id }) => id);
  await endOpenSteps(tx, ids, { status: "error", reason, message });
  for (const attempt of ended) {
    await endDeployment(tx, pipelineId, { attempt, outcome: "error" });
    await tx.notify("attempt", attempt.id);
  }
}
