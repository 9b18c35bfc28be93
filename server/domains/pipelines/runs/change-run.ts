/** Changes that people make to a run: cancel it, rerun parts of it. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { limitSentence } from "@forgeline/compiler/held-limits.ts";
import type { ForkApprovals } from "../merge-request-runs/fork-approvals.ts";
import { readHeldLimits } from "../pipeline-limits/held-limits.ts";
import { startsOf } from "./child-actor.ts";
import { isCommitKept, keepCancelReason, readPlan, releaseHeld, reopen } from "./run-changes.store.ts";
import { lockRun, moveJob, saveRun, type RunRecord } from "./run-record.ts";
import { runStateOf, runStates } from "./run-states.ts";
import { reasonSentence } from "./reasons.ts";
import { chooseJobs, expandedAgain } from "./rerun-choice.ts";
import { addRunIntent } from "./run-intents.ts";

async function changed(
  db: Database,
  pipelineId: string,
  work: (tx: Transaction, run: RunRecord) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const run = await lockRun(tx, pipelineId);
    if (!run) throw new AppError("not_found");
    await work(tx, run);
  });
}

export interface Cancel {
  pipelineId: string;
  name: string;
  force: boolean;
  /** Told of a run that waited for the approval of its commit. */
  forkApprovals?: Pick<ForkApprovals, "ended">;
}

/** Requests the workflow to end the run. Throws `conflict` if it has ended. */
export async function cancelRun(db: Database, actor: Actor, request: Cancel): Promise<void> {
  await changed(db, request.pipelineId, async (tx, run) => {
    if (await cancelLocked(tx, actor, { ...request, run })) return;
    throw new AppError("conflict", { message: `The run is over: ${run.pipeline.status}.` });
  });
}

/** The same in the caller's transaction; does nothing if the run has ended or is gone. */
export async function cancelIfOpen(tx: Transaction, actor: Actor, request: Cancel): Promise<void> {
  const run = await lockRun(tx, request.pipelineId);
  if (run) await cancelLocked(tx, actor, { ...request, run });
}

/** For another reason than a person: does nothing if the run has ended or is gone. */
export async function cancelBecause(tx: Transaction, pipelineId: string, reason: string): Promise<void> {
  const run = await lockRun(tx, pipelineId);
  if (run) await requestCancel(tx, run, { reason, force: false });
}

/** Ends a run that waits for an approval, because one of a newer commit has taken its place; `number`: which, if any. */
export async function supersede(
  tx: Transaction,
  pipelineId: string,
  number: number | undefined,
): Promise<void> {
  await cancelBecause(tx, pipelineId, number === undefined ? "superseded" : `superseded:#${number}`);
}

/** False if it has ended. */
async function cancelLocked(
  tx: Transaction,
  actor: Actor,
  { run, name, force, forkApprovals }: Cancel & { run: RunRecord },
): Promise<boolean> {
  const { id, needs_approval: wasHeld } = run.pipeline;
  if (!(await requestCancel(tx, run, { reason: `user:${actor.username}`, force }))) return false;
  if (wasHeld) await forkApprovals?.ended(tx, id, { end: "cancelled", actorId: actor.userId });
  await recordAudit(tx, actor, {
    action: "pipeline.cancel",
    target: { type: "pipeline", id, name },
    details: { force },
  });
  return true;
}

/** What has no workflow ends here. False if it has ended. */
async function requestCancel(
  tx: Transaction,
  run: RunRecord,
  request: { reason: string; force: boolean },
): Promise<boolean> {
  const { id, status, sequence, repository_id: repositoryId, needs_approval: isHeld } = run.pipeline;
  if (!runStates.next(runStateOf(status), "cancel")) return false;
  const { reason } = request;
  await keepCancelReason(tx, id, reason);
  if (isHeld) {
    await endHeld(tx, run, { event: "cancel", reason });
    return true;
  }
  await addRunIntent(tx, repositoryId, { kind: "cancel_pipeline", pipelineId: id, sequence, request });
  return true;
}

/** Starts a run whose commit somebody has approved. */
export async function startHeld(tx: Transaction, run: RunRecord): Promise<void> {
  const { id, repository_id: repositoryId, sequence } = run.pipeline;
  await releaseHeld(tx, id);
  // None of its jobs has begun: its status becomes what theirs say.
  await saveRun(tx, run);
  await addRunIntent(tx, repositoryId, { kind: "start_pipeline", pipelineId: id, sequence });
}

/** Ends a run that waits for the approval of its commit, with all its jobs. */
export async function endHeld(
  tx: Transaction,
  run: RunRecord,
  { event, reason }: { event: "cancel" | "reject"; reason: string },
): Promise<void> {
  const why = { reason, message: reasonSentence(reason) };
  run.pipelineReason = { reason, message: why.message ?? "" };
  for (const job of run.jobs) moveJob(run, job, { event, ...why });
  await saveRun(tx, run);
}

/** Nothing of a fork starts by being run again. */
function refuseHeld({ pipeline }: RunRecord): void {
  if (!pipeline.needs_approval) return;
  throw new AppError("conflict", {
    message: "Nobody has approved this commit, which comes from a fork: the run cannot be started.",
  });
}

/** What merged an older head, or is of a merge request that has ended, is let go of. */
async function refuseLost(tx: Transaction, { pipeline }: RunRecord): Promise<void> {
  if (await isCommitKept(tx, pipeline.id)) return;
  throw new AppError("conflict", {
    message:
      "The merged result that it tested is not kept any more, because the merge request has gone on: look at the runs of its newest commit.",
  });
}

/** `sequence` is 1 for a run that was never rerun. */
async function refuseMoreReruns(tx: Transaction, repositoryId: string, sequence: number): Promise<void> {
  const { reruns } = await readHeldLimits(tx, repositoryId);
  if (sequence <= reruns.value) return;
  const often = reruns.value === 1 ? "once" : `${reruns.value} times`;
  throw new AppError("conflict", {
    message: `A run can be rerun at most ${often}.${limitSentence(reruns)}`,
  });
}

/** Reopens the run. Throws `conflict` while it is in progress, `validation_failed` where `from` names nothing to run. */
export async function rerunRun(
  db: Database,
  actor: Actor,
  request: { pipelineId: string; name: string; from: string; debug?: boolean },
): Promise<void> {
  await changed(db, request.pipelineId, async (tx, run) => {
    const { id, status, sequence, repository_id: repositoryId } = run.pipeline;
    if (!runStates.next(runStateOf(status), "rerun"))
      throw new AppError("conflict", { message: `The run has not finished: ${status}.` });
    refuseHeld(run);
    await refuseLost(tx, run);
    await refuseMoreReruns(tx, repositoryId, sequence);
    const plan = await readPlan(tx, id);
    if (!plan)
      throw new AppError("conflict", { message: "The run has no jobs, because its file was never run." });
    const chosen = chooseJobs(plan, run.jobs, request.from);
    if (chosen.length === 0)
      throw invalidField("from", "nothing", `${request.from} does not select anything to rerun.`);
    run.actor = actor.username;
    for (const job of chosen) moveJob(run, job, { event: "rerun" });
    await reopen(tx, id, {
      jobIds: chosen.map((job) => job.id),
      whole: chosen.length === run.jobs.length,
      expandAgain: expandedAgain(plan, chosen),
      starts: startsOf(actor),
      debug: request.debug ?? false,
    });
    await saveRun(tx, run);
    await addRunIntent(tx, repositoryId, { kind: "start_pipeline", pipelineId: id, sequence: sequence + 1 });
    await recordAudit(tx, actor, {
      action: "pipeline.rerun",
      target: { type: "pipeline", id, name: request.name },
      details: {
        from: request.from,
        ...(request.debug ? { debug: true } : {}),
        sequence: sequence + 1,
        jobs: [...new Set(chosen.map((job) => job.key))],
      },
    });
  });
}
