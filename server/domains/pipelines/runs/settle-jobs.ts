/** Writes the workflow's decisions about jobs: final statuses, and waiting for another attempt. */
import type { JobSettled } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { latestReasons } from "./attempts.store.ts";
import { settlementOf } from "./job-states.ts";
import { reasonSentence } from "./reasons.ts";
import { moveJob, saveRun, type RunRecord } from "./run-record.ts";

export async function settleJobs(
  tx: Transaction,
  run: RunRecord,
  settled: readonly JobSettled[],
): Promise<void> {
  await settleRows(tx, run, settled);
  if (run.changedJobs.size > 0) await saveRun(tx, run);
}

/** Changes the record only. Decisions about an older attempt, or about a job that has ended, are ignored. */
export async function settleRows(
  tx: Transaction,
  run: RunRecord,
  settled: readonly JobSettled[],
): Promise<void> {
  const sentences = await sentencesOfAttempts(tx, settled);
  for (const { jobId, attempt, status, reason, allowed } of settled) {
    const job = run.jobs.find((candidate) => candidate.id === jobId);
    const event = settlementOf(status, reason);
    if (!job || !event || job.attempts !== attempt) continue;
    const said = sentences.get(jobId);
    const message = said && said.reason === reason ? said.message : sentenceOf(reason, said?.message);
    moveJob(run, job, { event, reason, message, allowed });
  }
}

/** `last`: why the last attempt ended. */
function sentenceOf(reason: string | null, last: string | null | undefined): string | null {
  const sentence = reasonSentence(reason);
  return reason === "retry" && last ? `${sentence} Why it failed: ${last}` : sentence;
}

/** The runner's message is more precise than ours for the same reason. */
async function sentencesOfAttempts(tx: Transaction, settled: readonly JobSettled[]) {
  const jobIds = settled.filter((job) => job.reason !== null && job.attempt > 0).map((job) => job.jobId);
  if (jobIds.length === 0) return new Map<string, { reason: string | null; message: string | null }>();
  const rows = await latestReasons(tx, jobIds);
  return new Map(rows.map((row) => [row.job_id, row]));
}
