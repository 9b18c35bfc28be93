/**
 * Somebody with Write approves or rejects a run whose commit comes from a fork. It counts for this run alone: its commit, and its plan as it
 * is stored. The decision, its audit entry and the start are one transaction, in which the merge request is locked before the run.
 */
import type { ApprovalDecision, ForkApproval } from "@forgeline/schemas/approvals/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { recordAudit } from "../../operation/domain.ts";
import { endHeld, startHeld } from "../runs/change-run.ts";
import { lockRun, type RunRecord } from "../runs/run-record.ts";
import { trustAuthor } from "../trusted-authors/trust.ts";
import type { ForkApprovals } from "./fork-approvals.ts";
import { findForkRun, insertDecision, type ForkRunRow } from "./fork-decisions.store.ts";
import { presentForkApproval } from "./present.ts";
import { lockSubject } from "./subjects.store.ts";

export interface DecideFork {
  pipelineId: string;
  /** `OWNER/NAME#NUMBER`. */
  name: string;
  repository: { id: string; name: string };
  decision: ApprovalDecision;
  forkApprovals: Pick<ForkApprovals, "ended">;
}

/**
 * Said twice, it changes nothing. Throws `validation_failed` for a run that is of no fork, `forbidden` for who may not, and `conflict` where nothing waits, the other was decided, or the merge
 * request has newer commits.
 */
export async function decideFork(db: Database, actor: Actor, request: DecideFork): Promise<ForkApproval> {
  const userId = userIdOf(actor);
  const { pipelineId, decision: given } = request;
  return db.transaction(async (tx) => {
    const seen = await findForkRun(tx, pipelineId, userId);
    if (!seen)
      throw invalidField("stage", "required", "Name a job or a stage: this run does not come from a fork.");
    const subject = await lockSubject(tx, seen.repository_id, seen.number ?? 0);
    const run = await lockRun(tx, pipelineId);
    // As it is under the lock.
    const row = await findForkRun(tx, pipelineId, userId);
    if (!run || !row) throw nothingWaits();
    if (!row.may_decide || actor.kind === "job") throw new AppError("forbidden", { message: whoMay });
    if (row.decision !== given.decision) {
      refuseOld(row, subject);
      await decide(tx, actor, { ...request, run, row, userId });
      if (given.trust_author === true) await trust(tx, actor, { request, authorId: subject?.author_id });
    }
    const now = await findForkRun(tx, pipelineId, userId);
    if (!now) throw new Error(`the decision about ${pipelineId} is gone`);
    return presentForkApproval(now);
  });
}

const whoMay = "People with Write in this repository approve runs of forks.";

function nothingWaits(): AppError {
  return new AppError("conflict", { message: "This run waits for no approval of its commit." });
}

function refuseOld(row: ForkRunRow, subject: { is_open: boolean; head_sha: string } | undefined): void {
  if (row.decision !== null)
    throw new AppError("conflict", { message: `It is decided already: ${row.decision}.` });
  if (row.is_open !== true || !row.needs_approval) throw nothingWaits();
  if (!subject?.is_open)
    throw new AppError("conflict", { message: "The merge request is not open any more." });
  if (subject.head_sha !== row.head_sha)
    throw new AppError("conflict", {
      message: "The merge request has newer commits: look at the run of those.",
    });
}

async function decide(
  tx: Transaction,
  actor: Actor,
  given: DecideFork & { run: RunRecord; row: ForkRunRow; userId: string },
): Promise<void> {
  const { run, row, userId, pipelineId, name } = given;
  const { decision, comment = "" } = given.decision;
  await insertDecision(tx, row, { decision, userId, comment });
  run.actor = actor.username;
  if (decision === "approve") await startHeld(tx, run);
  else await endHeld(tx, run, { event: "reject", reason: "approval_rejected" });
  const end = decision === "approve" ? "approved" : "rejected";
  await given.forkApprovals.ended(tx, pipelineId, { end, actorId: userId });
  await recordAudit(tx, actor, {
    action: decision === "approve" ? "pipeline.approve" : "pipeline.reject",
    target: { type: "pipeline", id: pipelineId, name },
    details: { fork: true, merge_request: row.number, sha: row.sha, plan_sha256: row.plan_sha256, comment },
  });
}

async function trust(
  tx: Transaction,
  actor: Actor,
  { request, authorId }: { request: DecideFork; authorId: string | null | undefined },
): Promise<void> {
  const { repository } = request;
  if (await trustAuthor(tx, actor, { userId: authorId ?? null, repository })) return;
  throw invalidField(
    "trust_author",
    "unknown",
    "The author's account was deleted: there is nobody to trust.",
  );
}
