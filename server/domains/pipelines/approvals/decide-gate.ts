/**
 * A person approves or rejects at a gate. The decision, its audit entry and the signal to the workflow are one transaction, under the lock
 * of the run. Whether the gate is passed is decided here, and counts only those who may still approve at this moment.
 */
import type { ApprovalDecision, ApprovalGate } from "@forgeline/schemas/approvals/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { recordAudit } from "../../operation/domain.ts";
import { addRunIntent } from "../runs/run-intents.ts";
import { lockRun, moveJob, saveRun, type RunRecord } from "../runs/run-record.ts";
import { raiseVersion } from "../runs/run-record.store.ts";
import { tellStarter } from "./end-mails.ts";
import { recordGateEvent } from "./gate-events.ts";
import type { GateMails } from "./gate-mails.ts";
import { awaitedText, placeText, refusedText } from "./gate-texts.ts";
import {
  closeGate,
  findGate,
  giveApproval,
  listGates,
  type GatePlace,
  type ListedGate,
} from "./gates.store.ts";
import { awaitedReason } from "./held-at-gate.ts";
import { isOpen, presentGate } from "./present.ts";
import { countApprovers } from "./told.store.ts";

export interface Decide {
  pipelineId: string;
  /** `OWNER/NAME#NUMBER`. */
  name: string;
  /** Address of the run in the web interface. */
  webUrl: string;
  decision: ApprovalDecision;
}

export interface DecideDeps {
  db: Database;
  mail: GateMails["mail"];
}

/**
 * Said twice by the same user, it changes nothing. Throws `forbidden` with who may approve, `conflict` if nothing waits there, and
 * `validation_failed` for a job or stage that the run does not have.
 */
export async function decideGate(
  { db, mail }: DecideDeps,
  actor: Actor,
  request: Decide,
): Promise<ApprovalGate> {
  const userId = userIdOf(actor);
  return db.transaction(async (tx) => {
    const { pipelineId, decision: given } = request;
    const run = await lockRun(tx, pipelineId);
    if (!run) throw new AppError("not_found");
    const gate = openAt(run, await listGates(tx, pipelineId, { userId }), placeOf(run, given));
    if (!gate.may_decide || actor.kind === "job")
      throw new AppError("forbidden", { message: refusedText(gate.rule, gate) });
    const own = gate.approvals.find((one) => one.user_id === userId);
    if (own?.decision !== given.decision) await give(tx, actor, { ...request, mail, run, gate, userId });
    const [now] = await listGates(tx, pipelineId, { userId, gateId: gate.id });
    if (!now) throw new Error(`the gate ${gate.id} is gone`);
    return presentGate(now, (await countApprovers(tx, pipelineId)).get(gate.id));
  });
}

/** The place of the gate that is meant. */
function placeOf(run: RunRecord, { job, stage, environment }: ApprovalDecision): GatePlace {
  if (stage !== undefined) {
    if (!run.stages.some(({ name }) => name === stage))
      throw invalidField("stage", "unknown", `The run has no stage ${stage}.`);
    return { stage, job: null, environment: null };
  }
  const found = run.jobs.find(({ id, key }) => id === job || key === job);
  const own = run.stages.find(({ id }) => id === found?.stage_id);
  if (!found || !own) throw invalidField("job", "unknown", `The run has no job ${job ?? ""}.`);
  return { stage: own.name, job: found.key, environment: environment ?? null };
}

/** Where only the job is named, its own gate comes before that of its environment. */
function openAt(run: RunRecord, gates: readonly ListedGate[], place: GatePlace): ListedGate {
  const inStage = gates.filter(({ stage }) => stage === place.stage);
  const ofJob = inStage.filter(({ job }) => job === place.job);
  const named = place.environment?.toLowerCase() ?? null;
  const gate = ofJob.find(({ environment }) => (environment?.toLowerCase() ?? null) === named);
  if (gate && isOpen(gate)) return gate;
  const others = place.job === null || named !== null ? [] : ofJob.filter(isOpen);
  const [only, ...more] = others;
  if (only && more.length === 0) return only;
  if (only) {
    const names = others.map(({ environment }) => environment).join(", ");
    const message = `The job waits for several environments: ${names}. Name the one that is meant.`;
    throw new AppError("conflict", { message });
  }
  throw notOpen(run, { place, gate: gate ?? ofJob[0], ofStage: inStage.find(({ job }) => job === null) });
}

function notOpen(
  run: RunRecord,
  {
    place,
    gate,
    ofStage,
  }: { place: GatePlace; gate: ListedGate | undefined; ofStage: ListedGate | undefined },
): AppError {
  const what = placeText(place);
  if (place.job !== null && ofStage && isOpen(ofStage))
    return new AppError("conflict", {
      message: `Before ${what}, its ${placeText(ofStage)} waits for approval: decide about that first.`,
    });
  const state = gate && presentGate(gate).state;
  const why = !state
    ? `the run is ${run.pipeline.status}`
    : state === "closed"
      ? "nothing waits there any more"
      : `its approval is ${state === "expired" ? "no longer possible: its time is over" : `decided: ${state}`}`;
  return new AppError("conflict", { message: `There is nothing to approve at ${what}: ${why}.` });
}

/** Jobs that wait at the gate say how many approvals they still wait for. */
async function retellWaiting(tx: Transaction, { pipelineId, run, gate }: Giving): Promise<void> {
  const now = await findGate(tx, pipelineId, gate);
  const stageId = run.stages.find(({ name }) => name === gate.stage)?.id;
  const reason = awaitedReason(gate);
  const environment = gate.environment?.toLowerCase();
  for (const job of run.jobs) {
    if (job.status !== "awaiting_approval" || job.reason !== reason || job.stage_id !== stageId) continue;
    if (gate.job !== null && job.key !== gate.job) continue;
    if (environment !== undefined && job.environment?.toLowerCase() !== environment) continue;
    const message = awaitedText(gate.rule, gate.environment, now?.given);
    moveJob(run, job, { event: "await", reason, message });
  }
  await saveRun(tx, run);
}

interface Giving extends Decide {
  mail: GateMails["mail"];
  run: RunRecord;
  gate: ListedGate;
  userId: string;
}

async function give(tx: Transaction, actor: Actor, giving: Giving): Promise<void> {
  const { pipelineId, name, decision: given, run, gate, userId } = giving;
  const { decision, comment = "" } = given;
  const { stage, job, environment, id: gateId } = gate;
  await giveApproval(tx, { gateId, userId, decision, comment });
  const isClosed = await closeGate(tx, gateId, decision === "approve" ? "approved" : "rejected");
  const isPassed = isClosed && decision === "approve";
  if (isClosed) {
    const { sequence, repository_id: repositoryId } = run.pipeline;
    const decided = { kind: "gate_decided", pipelineId, sequence, gate: { stage, job } } as const;
    await addRunIntent(tx, repositoryId, decided);
    const action = isPassed ? "approved" : "rejected";
    await recordGateEvent(tx, pipelineId, { gateId, action, senderId: userId });
  } else await retellWaiting(tx, giving);
  if (decision === "reject") {
    const rejected = { userId, username: actor.username, comment };
    await tellStarter(tx, giving, { gateId, rule: gate.rule, place: gate, run: name, rejected });
  }
  await raiseVersion(tx, pipelineId);
  await tx.notify("run", pipelineId);
  await recordAudit(tx, actor, {
    action: decision === "approve" ? "pipeline.approve" : "pipeline.reject",
    target: { type: "pipeline", id: pipelineId, name },
    details: {
      stage,
      job,
      environment,
      sequence: run.pipeline.sequence,
      sha: gate.sha,
      comment,
      passed: isPassed,
    },
  });
}
