/**
 * Facts from the runner side, recorded inside the hub's transaction: the attempt's row, the first start of job, stage and run,
 * the history, and the fact for the workflow. Each function is idempotent and takes the run's lock, then the attempt's: call it
 * before anything else in the transaction locks the attempt. Each returns false, with nothing written, if the attempt no longer
 * belongs to this lease (stale epoch, or ended otherwise).
 */
import type { AttemptFact } from "@forgeline/schemas/pipelines/workflow.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { JobResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import {
  endAttempt,
  endLost,
  endUnplaced,
  followAttempt,
  lockAttempt,
  runOfAttempt,
  startAttempt,
  type AttemptRow,
} from "./attempts.store.ts";
import { attemptStates } from "./attempt-states.ts";
import { childWaits } from "./child-wait.ts";
import { endDeployment, startDeployment } from "./count-ends.ts";
import { endOpenSteps } from "./steps.store.ts";
import { lockRun, moveJob, saveRun, type RunRecord } from "./run-record.ts";
import { addRunIntent } from "./run-intents.ts";

async function lockBoth(
  tx: Transaction,
  attemptId: string,
): Promise<{ run: RunRecord; attempt: AttemptRow } | undefined> {
  const pipelineId = await runOfAttempt(tx, attemptId);
  const run = pipelineId === undefined ? undefined : await lockRun(tx, pipelineId);
  const attempt = await lockAttempt(tx, attemptId);
  return run && attempt ? { run, attempt } : undefined;
}

async function signalWorkflow(tx: Transaction, run: RunRecord, fact: AttemptFact): Promise<void> {
  await addRunIntent(tx, run.pipeline.repository_id, {
    kind: "attempt_fact",
    pipelineId: run.pipeline.id,
    sequence: run.pipeline.sequence,
    fact,
  });
}

function noteAttempt(
  run: RunRecord,
  attempt: AttemptRow,
  to: { status: Status; reason?: string | null; message?: string | null },
): void {
  run.transitions.push({
    node: "attempt",
    id: attempt.id,
    attempt: attempt.attempt,
    old: attempt.status,
    new: to.status,
    reason: to.reason ?? null,
    message: to.message ?? null,
  });
}

/** The runner began the job. `timeMs` is the runner's clock, limited to between queueing and now. */
export async function recordAttemptStarted(
  tx: Transaction,
  started: { attemptId: string; epoch: number; timeMs: number },
): Promise<boolean> {
  const found = await lockBoth(tx, started.attemptId);
  if (!found || found.attempt.epoch !== started.epoch) return false;
  const { run, attempt } = found;
  if (!attemptStates.next(attempt.state, "start")) return attempt.state === "ended";
  if (attempt.status !== "queued") return true;
  await startAttempt(tx, attempt.id, started.timeMs);
  noteAttempt(run, attempt, { status: "running" });
  const job = run.jobs.find((candidate) => candidate.id === attempt.job_id);
  if (job) moveJob(run, job, { event: "start" });
  await saveRun(tx, run);
  await startDeployment(tx, run.pipeline.id, attempt);
  await signalWorkflow(tx, run, fact(attempt, { epoch: started.epoch, kind: "started", status: "running" }));
  return true;
}

/** The pipeline that the job starts is there. */
export async function recordAttemptFollowing(tx: Transaction, attemptId: string): Promise<boolean> {
  const found = await lockBoth(tx, attemptId);
  if (!found || !attemptStates.next(found.attempt.state, "follow")) return false;
  const { run, attempt } = found;
  await followAttempt(tx, attempt.id);
  noteAttempt(run, attempt, { status: "running" });
  const job = run.jobs.find((candidate) => candidate.id === attempt.job_id);
  if (job) moveJob(run, job, { event: "start" });
  await saveRun(tx, run);
  await signalWorkflow(tx, run, fact(attempt, { epoch: attempt.epoch, kind: "started", status: "running" }));
  return true;
}

/** What the pipeline that the job has started waits for; null: it goes on. */
export async function recordChildWait(
  tx: Transaction,
  attemptId: string,
  message: string | null,
): Promise<void> {
  const found = await lockBoth(tx, attemptId);
  if (found?.attempt.state !== "following") return;
  const { run, attempt } = found;
  const job = run.jobs.find(({ id, attempts }) => id === attempt.job_id && attempts === attempt.attempt);
  if (job?.status !== "running" || job.message === message) return;
  const waits = message !== null;
  const hasChanged = waits !== (job.reason === childWaits);
  moveJob(run, job, { event: "follow", reason: waits ? childWaits : null, message });
  await saveRun(tx, run);
  if (!hasChanged) return;
  const { id: pipelineId, sequence, repository_id: repositoryId } = run.pipeline;
  const wait = { jobId: job.id, attempt: attempt.attempt, waits };
  await addRunIntent(tx, repositoryId, { kind: "child_wait", pipelineId, sequence, wait });
}

/** The runner's result, accepted with the current epoch only. The workflow sets the job's status. */
export async function recordAttemptDone(
  tx: Transaction,
  done: { attemptId: string; epoch: number; result: JobResult; logComplete: boolean },
): Promise<boolean> {
  const found = await lockBoth(tx, done.attemptId);
  if (!found || found.attempt.epoch !== done.epoch) return false;
  const { run, attempt } = found;
  if (!attemptStates.next(attempt.state, "finish")) return attempt.state === "ended";
  const { result } = done;
  await endAttempt(tx, attempt.id, done);
  noteAttempt(run, attempt, result);
  await saveRun(tx, run);
  await endDeployment(tx, run.pipeline.id, { attempt, outcome: result.status });
  const { status, reason, exitCode } = result;
  const ended = fact(attempt, { epoch: done.epoch, kind: "done", status, reason, exitCode });
  await signalWorkflow(tx, run, attempt.kept ? { ...ended, decided: true } : ended);
  await tx.notify("attempt", attempt.id);
  return true;
}

/** The lease ran out (90 s of server up-time), or a person gave it up: ends the attempt as lost and raises the epoch. */
export async function recordAttemptReclaimed(
  tx: Transaction,
  reclaimed: { attemptId: string; declaredBy?: string },
): Promise<boolean> {
  const found = await lockBoth(tx, reclaimed.attemptId);
  if (!found || !attemptStates.next(found.attempt.state, "lapse")) return false;
  const { run, attempt } = found;
  const { declaredBy } = reclaimed;
  const lost = {
    status: "error" as const,
    reason: "runner_lost",
    message: declaredBy
      ? `The runner stopped answering, and ${declaredBy} declared the job lost.`
      : "The runner stopped answering and its lease ran out.",
  };
  run.actor = declaredBy ?? null;
  await endOpenSteps(tx, [attempt.id], lost);
  await endLost(tx, attempt.id, lost);
  noteAttempt(run, attempt, lost);
  await saveRun(tx, run);
  await endDeployment(tx, run.pipeline.id, { attempt, outcome: lost.status });
  const { status, reason } = lost;
  await signalWorkflow(
    tx,
    run,
    fact(attempt, { epoch: attempt.epoch + 1, kind: "reclaimed", status, reason }),
  );
  await tx.notify("attempt", attempt.id);
  return true;
}

/** The runner of its stage is lost before it began, with the workspace that it was to work in. */
export async function recordAttemptUnplaced(tx: Transaction, attemptId: string): Promise<boolean> {
  const found = await lockBoth(tx, attemptId);
  if (!found || !attemptStates.next(found.attempt.state, "unplace")) return false;
  const { run, attempt } = found;
  const lost = {
    status: "error" as const,
    reason: "runner_lost",
    message: "The runner that has the workspace of this stage was lost, or takes no more jobs.",
  };
  await endOpenSteps(tx, [attempt.id], lost);
  await endUnplaced(tx, attempt.id, lost);
  noteAttempt(run, attempt, lost);
  await saveRun(tx, run);
  await endDeployment(tx, run.pipeline.id, { attempt, outcome: lost.status });
  const { status, reason } = lost;
  const said = fact(attempt, { epoch: attempt.epoch + 1, kind: "reclaimed", status, reason });
  await signalWorkflow(tx, run, said);
  await tx.notify("attempt", attempt.id);
  return true;
}

function fact(
  attempt: AttemptRow,
  said: Pick<AttemptFact, "epoch" | "kind" | "status"> & Partial<Pick<AttemptFact, "reason" | "exitCode">>,
): AttemptFact {
  return {
    jobId: attempt.job_id,
    attempt: attempt.attempt,
    reason: null,
    exitCode: null,
    begun: attempt.begun,
    ...said,
  };
}
