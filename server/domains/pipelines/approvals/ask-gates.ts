/**
 * What a job that could start finds at its gates (`docs/architecture/approvals.md`): first that of its stage, then its own, then that of
 * its environment. A gate opens when the first job reaches it. Said twice, the answer is the same.
 */
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import type { PlanJob, PlanStage } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { systemActor } from "../../../platform/access/actor.ts";
import { recordAudit } from "../../operation/domain.ts";
import { readHeldLimits } from "../pipeline-limits/held-limits.ts";
import { arriveAt, type Arrival } from "../environments/arrival.ts";
import { reasonSentence } from "../runs/reasons.ts";
import { moveJob, type RunJob, type RunRecord } from "../runs/run-record.ts";
import { tellStarter } from "./end-mails.ts";
import { recordGateEvent, type GateEvent } from "./gate-events.ts";
import { tellApprovers, type GateMails } from "./gate-mails.ts";
import {
  addTarget,
  closeGate,
  findGate,
  openGate,
  type GateOfEnvironment,
  type GatePlace,
  type GateRow,
} from "./gates.store.ts";
import { approverOf, heldAtGate, heldByTime, refused } from "./held-at-gate.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** A job that could start. */
export interface Asking {
  job: PlanJob;
  stage: PlanStage | undefined;
  /** What it deploys to; null: nothing. */
  environment: string | null;
}

export interface Gates {
  /** Moves the job's row. */
  ask(row: RunJob, asking: Asking): Promise<JobStarted>;
  /** The answer for a job that has passed, but whose environment was deleted since, or has something newer and refuses what is older; null: neither. */
  barred(row: RunJob, job: PlanJob): Promise<JobStarted | null>;
  /** Records what followers are told of; once the run is saved, so that they see it as it waits. */
  save(): Promise<void>;
}

export interface GatesDeps extends GateMails {
  run: RunRecord;
  /** `OWNER/NAME#NUMBER`. */
  name: string;
}

interface Wanted {
  place: GatePlace;
  rule: PlanApproval;
  environment?: GateOfEnvironment;
  /** Where the job that asks deploys to; null: nowhere. */
  target: string | null;
}

/** For one transaction: jobs that stand at the same gate see it read once. */
export function createGates(tx: Transaction, deps: GatesDeps): Gates {
  const { run } = deps;
  const pipelineId = run.pipeline.id;
  const known = new Map<string, Promise<GateRow>>();
  const events: GateEvent[] = [];

  function find(wanted: Wanted): Promise<GateRow> {
    const { stage, job, environment } = wanted.place;
    const key = `${stage} ${job ?? ""} ${environment ?? ""}`;
    const found = (known.get(key) ?? findOrOpen(wanted)).then((gate) => withTarget(gate, wanted.target));
    known.set(key, found);
    return found;
  }

  /** Jobs of one stage, and combinations of one matrix, deploy to different environments behind one gate. */
  async function withTarget(gate: GateRow, target: string | null): Promise<GateRow> {
    const name = target?.toLowerCase();
    if (name === undefined || gate.deploys_to.includes(name)) return gate;
    await addTarget(tx, gate.id, name);
    return { ...gate, deploys_to: [...gate.deploys_to, name] };
  }

  async function findOrOpen({ place, rule, environment, target }: Wanted): Promise<GateRow> {
    const there = await findGate(tx, pipelineId, place);
    if (there) return expired(there, place);
    const id = newId("gate");
    const { approval_days: days } = await readHeldLimits(tx, run.pipeline.repository_id);
    await openGate(tx, { id, pipelineId, place, rule, longestMs: days.value * dayMs, environment });
    const opened = await findGate(tx, pipelineId, place);
    if (!opened) throw new Error(`the gate ${id} was not opened`);
    if (rule.count > 0) {
      tx.count("forgeline_approval_gates_opened_total", { of: askerOf(place) });
      const told = { gateId: id, pipelineId, rule, place, run: deps.name, target, until: opened.expires_at };
      await tellApprovers(tx, deps, told);
      events.push({ gateId: id, action: "requested" });
    }
    return opened;
  }

  async function expired(gate: GateRow, place: GatePlace): Promise<GateRow> {
    if (gate.state !== "open" || gate.left_ms > 0) return gate;
    await closeGate(tx, gate.id, "expired");
    const { sequence } = run.pipeline;
    await recordAudit(tx, systemActor, {
      action: "pipeline.approval_expire",
      target: { type: "pipeline", id: pipelineId, name: deps.name },
      details: { ...place, sequence },
    });
    const { id: gateId, rule } = gate;
    await tellStarter(tx, deps, { gateId, rule, place, run: deps.name, rejected: null });
    events.push({ gateId, action: "expired", senderId: null });
    return { ...gate, state: "expired" };
  }

  async function atFile(
    row: RunJob,
    { job, stage, environment: target }: Asking,
    passed: GateRow[],
  ): Promise<JobStarted | null> {
    const places = [
      { place: { stage: job.stage, job: null, environment: null }, rule: stage?.approval },
      { place: { stage: job.stage, job: job.key, environment: null }, rule: job.approval },
    ];
    for (const { place, rule } of places) {
      const gate = rule && (await find({ place, rule, target }));
      if (gate && gate.state !== "approved") return heldAtGate(run, row, { gate, passed });
      if (gate) passed.push(gate);
    }
    return null;
  }

  /** A job that waits keeps the protection that it found, so it is refused only before there is a gate. */
  async function refusedAt(
    row: RunJob,
    { name, refusal, older }: Arrival,
    place: GatePlace,
  ): Promise<JobStarted | null> {
    const there = await findGate(tx, pipelineId, place);
    if (there?.environment_id === null) return refusedAsDeleted(run, row, name);
    if (older !== null) return refusedAsOlder(run, row, { name, older });
    return there || refusal === null
      ? null
      : refused(run, row, { reason: `environment_refused:${name}`, message: refusal });
  }

  async function atEnvironment(
    row: RunJob,
    { gate }: Arrival,
    { place, passed }: { place: GatePlace; passed: GateRow[] },
  ): Promise<JobStarted | null> {
    const there = gate
      ? await find({ place, rule: gate.rule, environment: gate, target: place.environment })
      : await findGate(tx, pipelineId, place);
    if (!there) return null;
    const found = await expired(there, place);
    if (found.state !== "approved") return heldAtGate(run, row, { gate: found, passed });
    passed.push(found);
    return (found.wait_ms ?? 0) > 0 ? heldByTime(run, row, found) : null;
  }

  return {
    async ask(row, asking) {
      const { job, environment } = asking;
      const arrival =
        environment === null
          ? null
          : await arriveAt(tx, { pipelineId, event: deps.event, name: environment });
      const place = { stage: job.stage, job: job.key, environment: arrival?.name ?? null };
      const passed: GateRow[] = [];
      const held =
        (arrival && (await refusedAt(row, arrival, place))) ??
        (await atFile(row, asking, passed)) ??
        (arrival && (await atEnvironment(row, arrival, { place, passed })));
      if (held) return held;
      if (row.status === "awaiting_approval") moveJob(run, row, { event: "pass", actor: approverOf(passed) });
      return { jobId: row.id, status: "passed", reason: null };
    },
    async barred(row, { stage, key: job, environment }) {
      // A job that was tried before has deployed there already.
      if (!environment || row.status !== "waiting") return null;
      const gate = await findGate(tx, pipelineId, { stage, job, environment: environment.name });
      if (gate?.environment_id === null) return refusedAsDeleted(run, row, environment.name);
      const { name, older } = await arriveAt(tx, { pipelineId, event: deps.event, name: environment.name });
      return older === null ? null : refusedAsOlder(run, row, { name, older });
    },
    async save() {
      for (const event of events.splice(0)) await recordGateEvent(tx, pipelineId, event);
    },
  };
}

function askerOf({ job, environment }: GatePlace): "stage" | "job" | "environment" {
  if (environment !== null) return "environment";
  return job === null ? "stage" : "job";
}

function refusedAsOlder(
  run: RunRecord,
  row: RunJob,
  { name, older }: { name: string; older: string },
): JobStarted {
  return refused(run, row, { reason: `environment_older:${name}`, message: older });
}

/** Its protection went with the environment, and must not be passed by. */
function refusedAsDeleted(run: RunRecord, row: RunJob, name: string): JobStarted {
  const reason = `environment_deleted:${name}`;
  return refused(run, row, { reason, message: reasonSentence(reason) });
}
