/**
 * A run under its lock: read once, changed in memory, saved with one statement that writes rows, history and the
 * version together. Every change of a status goes through here.
 *
 * Lock order, to be kept by all who touch a run: the pipeline row first, then attempts. Whoever holds an attempt's
 * row lock and then asks for the run's can deadlock.
 */
import type { MatrixValues, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { isFinal, type Status } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { releaseSlots } from "../concurrency/take-slots.ts";
import { aggregate, type Part } from "./aggregate.ts";
import { countFailures } from "./count-ends.ts";
import { nextJobStatus, type JobEvent } from "./job-states.ts";
import { tellParent } from "./child-intents.ts";
import { heldPart } from "./child-wait.ts";
import { actionOf, recordRunEvents } from "./run-events.ts";
import { runFailure } from "./run-failure.ts";
import { lockPipeline, readParts, writeRecord } from "./run-record.store.ts";

export interface RunNode {
  id: string;
  status: Status;
  reason: string | null;
  message: string | null;
}
export interface RunStage extends RunNode {
  name: string;
  warnings: number;
}
export interface RunJob extends RunNode {
  stage_id: string;
  key: string;
  /** Values of this combination; null for a job without a matrix, and while they are not known. */
  matrix: MatrixValues | null;
  combination: number;
  /** False while the row stands for all combinations of its matrix. */
  expanded: boolean;
  allowed: boolean;
  attempts: number;
  /** What it deploys to; null: nothing, or it has not come so far. */
  environment: string | null;
}
export interface RunPipeline extends RunNode {
  repository_id: string;
  number: number;
  sequence: number;
  /** The newest sequence of which something has run; 0 for none. */
  started_sequence: number;
  warnings: number;
  /** Since the first start; null when nothing was started yet. */
  running_seconds: number | null;
  /** Of the job of another run that started this one; null for any other run. */
  parent_attempt_id: string | null;
  /** Its commit comes from a fork, and nobody has approved it: it has no workflow. */
  needs_approval: boolean;
}
export interface Transition {
  node: "pipeline" | "stage" | "job" | "attempt" | "step";
  id: string;
  attempt: number | null;
  old: Status | null;
  new: Status;
  reason: string | null;
  message: string | null;
  /** Who caused it; default: who changes the run. */
  actor?: string | null;
}
export interface NewAttempt {
  id: string;
  job_id: string;
  attempt: number;
  labels: string[];
  /** Of its stage; null: it may run anywhere. */
  placement_id: string | null;
  priority: number;
  job: PlanJob;
}
export interface NewStep {
  id: string;
  attempt_id: string;
  position: number;
  name: string;
  timeout_ms: number | null;
  idle_timeout_ms: number | null;
  parallel_group: number | null;
}
export interface RunRecord {
  pipeline: RunPipeline;
  stages: RunStage[];
  jobs: RunJob[];
  actor: string | null;
  /** It holds, waits for or expects slots of concurrency groups. */
  hasSlots: boolean;
  /** What it waited for when it was read, if nothing was in progress. */
  held: string | null;
  changedJobs: Set<RunJob>;
  changedStages: Set<RunStage>;
  /** The reason of a stage's status, if it is not the reason of one of its jobs. */
  stageReasons: Map<string, { reason: string; message: string }>;
  pipelineReason: { reason: string; message: string } | null;
  transitions: Transition[];
  newAttempts: NewAttempt[];
  newSteps: NewStep[];
}

/** Locks the run until the transaction ends; undefined when there is none. */
export async function lockRun(tx: Transaction, pipelineId: string): Promise<RunRecord | undefined> {
  const pipeline = await lockPipeline(tx, pipelineId);
  if (!pipeline) return undefined;
  const { stages, jobs, has_slots: hasSlots } = await readParts(tx, pipelineId);
  return {
    pipeline,
    stages,
    jobs,
    actor: null,
    hasSlots,
    held: heldOf(jobs),
    changedJobs: new Set(),
    changedStages: new Set(),
    stageReasons: new Map(),
    pipelineReason: null,
    transitions: [],
    newAttempts: [],
    newSteps: [],
  };
}

function heldOf(jobs: readonly RunJob[]): string | null {
  const part = heldPart(jobs);
  return part ? (part.message ?? part.reason) : null;
}

interface StatusChange {
  status: Status;
  reason?: string | null;
  message?: string | null;
  actor?: string | null;
}

export interface JobChange {
  event: JobEvent;
  reason?: string | null;
  message?: string | null;
  /** Who caused it, if not who changes the run. */
  actor?: string | null;
  allowed?: boolean;
}

/**
 * Applies the event to the job's status. False, and nothing is changed, if the event is not possible in this state. Where only the
 * message is another one, it is no step of the history.
 */
export function moveJob(run: RunRecord, job: RunJob, { event, allowed = false, ...why }: JobChange): boolean {
  const status = nextJobStatus(job.status, event);
  if (status === undefined) return false;
  // Another attempt is a change, even if the previous one was never started.
  const isKnown = event !== "queue" && job.status === status && job.reason === (why.reason ?? null);
  if (isKnown) {
    retell(run.changedJobs, job, { reason: job.reason, message: why.message ?? null });
    return true;
  }
  note(run, { node: "job", target: job, attempt: job.attempts || null }, { status, ...why });
  job.allowed = allowed;
  run.changedJobs.add(job);
  return true;
}

function note(
  run: RunRecord,
  { node, target, attempt }: { node: Transition["node"]; target: RunNode; attempt: number | null },
  change: StatusChange,
): void {
  const reason = change.reason ?? null;
  const message = change.message ?? null;
  run.transitions.push({
    node,
    id: target.id,
    attempt,
    old: target.status,
    new: change.status,
    reason,
    message,
    actor: change.actor ?? null,
  });
  target.status = change.status;
  target.reason = reason;
  target.message = message;
}

/** What it says of an unchanged status. */
function retell<T extends RunNode>(changed: Set<T>, node: T, why: Pick<RunNode, "reason" | "message">): void {
  if (node.reason === why.reason && node.message === why.message) return;
  Object.assign(node, why);
  changed.add(node);
}

function part(node: { status: Status; warnings?: number; allowed?: boolean }): Part {
  return { status: node.status, allowed: node.allowed ?? false, warnings: node.warnings ?? 0 };
}

/** The reason shown above is that of the first part with the same status. */
function inherited(
  parts: readonly RunNode[],
  status: Status,
): { reason: string | null; message: string | null } {
  if (status === "success" || status === "running") return { reason: null, message: null };
  const first = parts.find((node) => node.status === status && node.reason !== null);
  return { reason: first?.reason ?? null, message: first?.message ?? null };
}

function settleAggregates(run: RunRecord): void {
  for (const stage of run.stages) {
    const jobs = run.jobs.filter((job) => job.stage_id === stage.id);
    const next = aggregate(jobs.map(part));
    if (next.warnings !== stage.warnings) run.changedStages.add(stage);
    stage.warnings = next.warnings;
    if (next.status === stage.status) {
      if (next.status === "awaiting_approval") retell(run.changedStages, stage, inherited(jobs, next.status));
      continue;
    }
    const own =
      isFinal(next.status) && next.status !== "success" ? run.stageReasons.get(stage.id) : undefined;
    const why = own ?? inherited(jobs, next.status);
    note(run, { node: "stage", target: stage, attempt: null }, { status: next.status, ...why });
    run.changedStages.add(stage);
  }
  const next = aggregate(run.stages.map(part));
  run.pipeline.warnings = next.warnings;
  if (run.stages.length === 0) return;
  if (next.status === run.pipeline.status) {
    if (next.status === "awaiting_approval") Object.assign(run.pipeline, inherited(run.stages, next.status));
    return;
  }
  const own = isFinal(next.status) && next.status !== "success" ? run.pipelineReason : null;
  note(
    run,
    { node: "pipeline", target: run.pipeline, attempt: null },
    {
      status: next.status,
      ...(own ?? runFailure(inOrder(run), next.status) ?? inherited(run.stages, next.status)),
    },
  );
}

/** Stage by stage. */
function inOrder({ stages, jobs }: RunRecord): RunJob[] {
  return stages.flatMap((stage) => jobs.filter((job) => job.stage_id === stage.id));
}

/**
 * Recomputes stages and run, writes all changes and the history, raises the version and notifies listeners. What is over gives
 * back its slots: however a job ends, it ends here.
 */
export async function saveRun(tx: Transaction, run: RunRecord): Promise<void> {
  settleAggregates(run);
  await writeRecord(tx, run);
  countFailures(tx, run.transitions);
  if (run.hasSlots) {
    const ended = [run.pipeline, ...run.stages, ...run.jobs].filter(({ status }) => isFinal(status));
    await releaseSlots(
      tx,
      run.pipeline.id,
      ended.map(({ id }) => id),
    );
  }
  const status = run.transitions.findLast(({ node }) => node === "pipeline")?.new;
  const { sequence, started_sequence: startedSequence } = run.pipeline;
  if (status && isFinal(status)) await tellParent(tx, run.pipeline, "child_ended");
  else if (heldOf(run.jobs) !== run.held) await tellParent(tx, run.pipeline, "child_waits");
  const action = status && actionOf(status, startedSequence >= sequence);
  if (action) await recordRunEvents(tx, run.pipeline.id, [action]);
  await tx.notify("run", run.pipeline.id);
}
