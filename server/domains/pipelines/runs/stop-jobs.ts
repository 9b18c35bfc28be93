/**
 * Stops attempts. One without a runner ends at once; a runner is asked to stop it (`cancel` column, repeated by the hub until
 * done); after a time limit it is ended without the runner: the epoch rises, so its late result is refused.
 */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { JobStop, JobStopped } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { cancelChild } from "./cancel-child.ts";
import { attemptStates } from "./attempt-states.ts";
import { endStopped, lockAttemptsOfJobs, requestCancel, type AttemptRow } from "./attempts.store.ts";
import { endDeployment } from "./count-ends.ts";
import { queueReasonOf } from "./queue-reasons.ts";
import { reasonSentence } from "./reasons.ts";
import { readQueue } from "./runs.store.ts";
import { endOpenSteps } from "./steps.store.ts";
import { moveJob, saveRun, type RunRecord } from "./run-record.ts";

type Result = JobStopped["result"];

export async function requestStop(
  tx: Transaction,
  run: RunRecord,
  { stops, graceMs }: { stops: readonly JobStop[]; graceMs: number },
): Promise<JobStopped[]> {
  return eachAttempt(tx, { run, stops }, async (stop, attempt) => {
    const next = attemptStates.next(attempt.state, "stop");
    if (next === undefined) return endedLike(attempt, stop);
    if (next === "ended") return end(tx, run, { attempt, stop });
    if (stop.queuedOnly) return "left";
    const { reason, status, force } = stop;
    const message = reasonSentence(reason);
    await requestCancel(tx, attempt.id, { reason, message, status, force, graceMs });
    if (attempt.state === "following") await cancelChild(tx, attempt.id, force);
    if (attempt.status !== "cancelling") note(run, { attempt, to: "cancelling", reason, message });
    const job = run.jobs.find((candidate) => candidate.id === stop.jobId);
    if (job) moveJob(run, job, { event: "stop", reason, message });
    return "stopping";
  });
}

export async function forceEnd(
  tx: Transaction,
  run: RunRecord,
  stops: readonly JobStop[],
): Promise<JobStopped[]> {
  return eachAttempt(tx, { run, stops }, (stop, attempt) =>
    attemptStates.next(attempt.state, "forceEnd")
      ? end(tx, run, { attempt, stop })
      : Promise.resolve(endedLike(attempt, stop)),
  );
}

/** A repeated request, after a lost answer, gets the same answer. */
function endedLike(attempt: AttemptRow, stop: JobStop): Result {
  return attempt.status === stop.status && attempt.reason === stop.reason ? "ended" : "over";
}

async function eachAttempt(
  tx: Transaction,
  { run, stops }: { run: RunRecord; stops: readonly JobStop[] },
  work: (stop: JobStop, attempt: AttemptRow) => Promise<Result>,
): Promise<JobStopped[]> {
  const rows = await lockAttemptsOfJobs(
    tx,
    stops.map((stop) => stop.jobId),
  );
  const answers: JobStopped[] = [];
  for (const stop of stops) {
    const attempt = rows.find((row) => row.job_id === stop.jobId && row.attempt === stop.attempt);
    const result = attempt ? await work(stop, attempt) : "over";
    if (attempt && (result === "ended" || result === "stopping")) await tx.notify("attempt", attempt.id);
    answers.push({ jobId: stop.jobId, result });
  }
  if (run.transitions.length > 0) await saveRun(tx, run);
  return answers;
}

async function end(
  tx: Transaction,
  run: RunRecord,
  { attempt, stop }: { attempt: AttemptRow; stop: JobStop },
): Promise<Result> {
  const { status, reason } = stop;
  const message = stop.queuedOnly ? await whyNotTaken(tx, run, { attempt, stop }) : reasonSentence(reason);
  await endOpenSteps(tx, [attempt.id], { status, reason, message });
  await endStopped(tx, attempt.id, { status, reason, message });
  await endDeployment(tx, run.pipeline.id, { attempt, outcome: status });
  note(run, { attempt, to: status, reason, message });
  return "ended";
}

/** What kept runners from the job is known only while it is queued, so it stays with the job as it was at the end. */
async function whyNotTaken(
  tx: Transaction,
  run: RunRecord,
  { attempt, stop }: { attempt: AttemptRow; stop: JobStop },
): Promise<string | null> {
  const row = (await readQueue(tx, run.pipeline.id)).find(({ id }) => id === attempt.id);
  const why = row && queueReasonOf(row);
  const sentence = reasonSentence(stop.reason);
  return why && why.reason !== "no_free_runner" ? `${sentence} ${why.message}` : sentence;
}

function note(
  run: RunRecord,
  {
    attempt,
    to,
    reason,
    message,
  }: { attempt: AttemptRow; to: Status; reason: string; message: string | null },
): void {
  run.transitions.push({
    node: "attempt",
    id: attempt.id,
    attempt: attempt.attempt,
    old: attempt.status,
    new: to,
    reason,
    message,
  });
}
