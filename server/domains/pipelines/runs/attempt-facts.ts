/**
 * Facts from the runner side, recorded inside the hub's transaction: the attempt's row, the first start of job, stage
 * and run, the history, and the fact for the workflow. Each function is idempotent and takes the run's lock, then the
 * attempt's: call it before anything else in the transaction locks the attempt.
 * Each answers false when the attempt is no longer this lease's (stale epoch, ended otherwise): nothing was written.
 */
import type { AttemptFact } from "@forgeline/schemas/pipelines/workflow.ts";
import type { Status } from "@forgeline/schemas/pipelines/status.ts";
import type { JobResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent } from "../../../platform/outbox/outbox.ts";
import { endSteps } from "./end-steps.ts";
import { lockRun, saveRun, setJob, type RunRecord } from "./run-record.ts";

interface HeldAttempt {
  id: string;
  job_id: string;
  attempt: number;
  epoch: number;
  state: string;
  status: Status;
  begun: boolean;
}

async function lockAttempt(
  tx: Transaction,
  attemptId: string,
): Promise<{ run: RunRecord; attempt: HeldAttempt } | undefined> {
  const owner = await tx.one<{ pipeline_id: string }>("select pipeline_id from job_attempts where id = $1", [
    attemptId,
  ]);
  const run = owner && (await lockRun(tx, owner.pipeline_id));
  const attempt = await tx.one<HeldAttempt>(
    `select id, job_id, attempt, epoch, state, status, begun from job_attempts where id = $1 for update`,
    [attemptId],
  );
  return run && attempt ? { run, attempt } : undefined;
}

async function tellWorkflow(tx: Transaction, run: RunRecord, fact: AttemptFact): Promise<void> {
  await addIntent(tx, run.pipeline.repository_id, {
    kind: "attempt_fact",
    pipelineId: run.pipeline.id,
    sequence: run.pipeline.sequence,
    fact,
  });
}

function noteAttempt(
  run: RunRecord,
  attempt: HeldAttempt,
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

/** The runner began the job. `timeMs` is the runner's clock; it is kept between queueing and now. */
export async function recordAttemptStarted(
  tx: Transaction,
  started: { attemptId: string; epoch: number; timeMs: number },
): Promise<boolean> {
  const found = await lockAttempt(tx, started.attemptId);
  if (!found || found.attempt.epoch !== started.epoch) return false;
  const { run, attempt } = found;
  if (attempt.state !== "leased") return attempt.state === "ended";
  if (attempt.status !== "queued") return true;
  await tx.query(
    `update job_attempts set status = 'running',
       started_at = greatest(queued_at, least(now(), to_timestamp($2 / 1000.0))) where id = $1`,
    [attempt.id, started.timeMs],
  );
  noteAttempt(run, attempt, { status: "running" });
  const job = run.jobs.find((candidate) => candidate.id === attempt.job_id);
  if (job?.status === "queued") setJob(run, job, { status: "running" });
  await saveRun(tx, run);
  await tellWorkflow(tx, run, fact(attempt, { epoch: started.epoch, kind: "started", status: "running" }));
  return true;
}

/** The runner's result, taken with the current epoch only. The job's status is the workflow's to set. */
export async function recordAttemptDone(
  tx: Transaction,
  done: { attemptId: string; epoch: number; result: JobResult; logComplete: boolean },
): Promise<boolean> {
  const found = await lockAttempt(tx, done.attemptId);
  if (!found || found.attempt.epoch !== done.epoch) return false;
  const { run, attempt } = found;
  if (attempt.state === "ended") return true;
  if (attempt.state !== "leased") return false;
  const { result } = done;
  await tx.query(endStatement, [
    attempt.id,
    result.status,
    result.reason,
    result.message,
    result.exitCode,
    JSON.stringify(result.outputs),
    result.warnings,
    done.logComplete,
    JSON.stringify(result.steps),
  ]);
  noteAttempt(run, attempt, result);
  await saveRun(tx, run);
  const { status, reason, exitCode } = result;
  await tellWorkflow(tx, run, fact(attempt, { epoch: done.epoch, kind: "done", status, reason, exitCode }));
  await tx.notify("attempt", attempt.id);
  return true;
}

/** The lease ran out (90 s of server up-time): ends the attempt as lost and raises the epoch. */
export async function recordAttemptReclaimed(
  tx: Transaction,
  reclaimed: { attemptId: string },
): Promise<boolean> {
  const found = await lockAttempt(tx, reclaimed.attemptId);
  if (!found || found.attempt.state !== "leased") return false;
  const { run, attempt } = found;
  const lost = {
    status: "error" as const,
    reason: "runner_lost",
    message: "The runner stopped answering and its lease ran out.",
  };
  await endSteps(tx, [attempt.id], lost);
  await tx.query(
    `update job_attempts set state = 'ended', status = $2, reason = $3, message = $4, epoch = epoch + 1,
       unreachable = false, log_complete = false, finished_at = now() where id = $1`,
    [attempt.id, lost.status, lost.reason, lost.message],
  );
  noteAttempt(run, attempt, lost);
  await saveRun(tx, run);
  const { status, reason } = lost;
  await tellWorkflow(tx, run, fact(attempt, { epoch: attempt.epoch + 1, kind: "reclaimed", status, reason }));
  await tx.notify("attempt", attempt.id);
  return true;
}

function fact(
  attempt: HeldAttempt,
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

// Times of steps are the runner's, and its clock may be wrong: never later than now, and no end before its start.
// A step that the plan does not have changes nothing: a result that was refused for it would never come.
const endStatement = `
with ended as (
  update job_attempts set state = 'ended', status = $2, reason = $3, message = $4, exit_code = $5, outputs = $6::jsonb,
    warnings = $7, log_complete = $8, unreachable = false, finished_at = now()
  where id = $1 returning id, job_id, pipeline_id
), job_outputs as (
  update jobs set outputs = $6::jsonb from ended where jobs.id = ended.job_id
)
update steps t set status = s.status, reason = s.reason, message = s.message, exit_code = s."exitCode",
  started_at = coalesce(t.started_at, said.started_at),
  finished_at = coalesce(t.finished_at, greatest(t.started_at, said.finished_at))
from ended, jsonb_to_recordset($9::jsonb) as s(position int, status text, reason text, message text,
  "exitCode" int, "startedAtMs" float8, "finishedAtMs" float8),
  lateral (select
    case when s."startedAtMs" is not null then least(now(), to_timestamp(s."startedAtMs" / 1000.0)) end as started_at,
    case when s."finishedAtMs" is not null
      then least(now(), to_timestamp(greatest(s."startedAtMs", s."finishedAtMs") / 1000.0)) end as finished_at) said
where t.attempt_id = ended.id and t.position = s.position`;
