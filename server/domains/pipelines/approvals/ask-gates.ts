/**
 * What a job that could start finds at its gates (`docs/architecture/approvals.md`): first that of its stage, then its own. A gate
 * opens when the first job reaches it. Said twice, the answer is the same.
 */
import { limits } from "@forgeline/compiler/limits.ts";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { PlanJob, PlanStage } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { systemActor } from "../../../platform/access/actor.ts";
import { recordAudit } from "../../operation/domain.ts";
import { reasonSentence } from "../runs/reasons.ts";
import { moveJob, type RunJob, type RunRecord } from "../runs/run-record.ts";
import { awaitedText, placeText, rejectedText } from "./gate-texts.ts";
import { tellApprovers, type GateMails } from "./gate-mails.ts";
import { closeGate, findGate, openGate, type GatePlace, type GateRow } from "./gates.store.ts";

/** Nobody looks at a gate more often than this because its time is nearly over. */
const shortestWaitMs = 1_000;

export interface Gates {
  /** Moves the job's row. */
  ask(row: RunJob, job: PlanJob, stage: PlanStage | undefined): Promise<JobStarted>;
}

export interface GatesDeps extends GateMails {
  run: RunRecord;
  /** `OWNER/NAME#NUMBER`. */
  name: string;
}

/** For one transaction: jobs that stand at the same gate see it read once. */
export function createGates(tx: Transaction, deps: GatesDeps): Gates {
  const { run } = deps;
  const known = new Map<string, Promise<GateRow>>();

  function find(place: GatePlace, rule: PlanApproval): Promise<GateRow> {
    const key = `${place.stage} ${place.job ?? ""}`;
    const found = known.get(key) ?? findOrOpen(place, rule);
    known.set(key, found);
    return found;
  }

  async function findOrOpen(place: GatePlace, rule: PlanApproval): Promise<GateRow> {
    const pipelineId = run.pipeline.id;
    const there = await findGate(tx, pipelineId, place);
    if (there) return expired(there, place);
    const id = newId("gate");
    await openGate(tx, { id, pipelineId, place, rule, longestMs: limits.approvalMs });
    await tellApprovers(tx, deps, { gateId: id, rule, what: placeText(place), run: deps.name });
    const opened = await findGate(tx, pipelineId, place);
    if (!opened) throw new Error(`the gate ${id} was not opened`);
    return opened;
  }

  async function expired(gate: GateRow, place: GatePlace): Promise<GateRow> {
    if (gate.state !== "open" || gate.left_ms > 0) return gate;
    await closeGate(tx, gate.id, "expired");
    const { id, sequence } = run.pipeline;
    await recordAudit(tx, systemActor, {
      action: "pipeline.approval_expire",
      target: { type: "pipeline", id, name: deps.name },
      details: { ...place, sequence },
    });
    return { ...gate, state: "expired" };
  }

  return {
    async ask(row, job, stage) {
      const places = [
        { place: { stage: job.stage, job: null }, rule: stage?.approval },
        { place: { stage: job.stage, job: job.key }, rule: job.approval },
      ];
      for (const { place, rule } of places) {
        const gate = rule && (await find(place, rule));
        if (gate && gate.state !== "approved") return held(run, row, { gate, ofStage: place.job === null });
      }
      if (row.status === "awaiting_approval") moveJob(run, row, { event: "pass" });
      return { jobId: row.id, status: "passed", reason: null };
    },
  };
}

function held(
  run: RunRecord,
  row: RunJob,
  { gate, ofStage }: { gate: GateRow; ofStage: boolean },
): JobStarted {
  const { rule } = gate;
  if (gate.state === "open") {
    const reason = ofStage ? "approval:stage" : "approval:job";
    moveJob(run, row, { event: "await", reason, message: awaitedText(rule) });
    const waitMs = Math.max(gate.left_ms, shortestWaitMs);
    return { jobId: row.id, status: "awaiting_approval", reason, waitMs };
  }
  if (gate.state === "expired" && rule.onExpire === "skip") {
    const reason = "approval_expired";
    moveJob(run, row, { event: "skip", reason, message: reasonSentence(reason) });
    return { jobId: row.id, status: "skipped", reason };
  }
  const reason = "approval_rejected";
  const message =
    gate.state === "expired" ? reasonSentence("approval_expired") : rejectedText(gate.username, gate.comment);
  moveJob(run, row, { event: "reject", reason, message });
  return { jobId: row.id, status: "failed", reason };
}
