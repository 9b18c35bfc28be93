/**
 * Jobs before gates where people approve. The database knows how each gate stands; here is only who has to ask, and when to
 * ask again: when people have decided, and when the time of the gate is over. Pure.
 */
import type { ChildWait, GateDecided } from "@forgeline/schemas/pipelines/workflow.ts";
import type { JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { GraphJob, JobState, RunState } from "./run-state.ts";

/** Milliseconds in which nothing ran and something waited for approval. */
export interface Pause {
  ms: number;
  /** Since when it lasts; null: not now. */
  since: number | null;
}
export interface Pauses {
  run: Pause;
  /** By name. */
  stages: Record<string, Pause>;
}

/** It has to pass its gates before it can start. */
export function mustAsk(state: RunState, { id, gated }: GraphJob): boolean {
  return gated === true && !state.jobs[id]?.hasPassed;
}

/** False if the answer is not about gates. */
export function applyAsked(job: JobState, { status, waitMs = 0 }: JobStarted, now: number): boolean {
  if (status === "awaiting_approval") Object.assign(job, { phase: "gated", since: now + waitMs });
  else if (status === "passed") Object.assign(job, { phase: "pending", hasPassed: true });
  else return false;
  return true;
}

/** Everything that waits there asks again. */
export function applyGateDecided(state: RunState, gate: GateDecided): void {
  for (const { id, key, stage } of state.graph.jobs) {
    const job = state.jobs[id];
    if (job?.phase !== "gated" || stage !== gate.stage) continue;
    if (gate.job === null || gate.job === key) job.phase = "pending";
  }
}

/** The time in which the pipeline that a job has started waits counts towards no limit of that job. */
export function applyChildWait(state: RunState, { jobId, attempt, waits }: ChildWait, now: number): void {
  const job = state.jobs[jobId];
  if (job?.phase !== "running" || job.attempt !== attempt) return;
  count((job.childPause ??= newPause()), waits, now);
}

/** Begins and ends the pauses of the run and of its stages; a run that never waits for people has none. */
export function countPauses(state: RunState, now: number): void {
  if (!state.graph.jobs.some(({ id, gated }) => gated || state.jobs[id]?.childPause)) return;
  const pauses = (state.pauses ??= { run: newPause(), stages: {} });
  const seen = new Map<string, { waits: boolean; runs: boolean }>();
  const all = { waits: false, runs: false };
  for (const { id, stage } of state.graph.jobs) {
    const own = seen.get(stage) ?? { waits: false, runs: false };
    seen.set(stage, own);
    const job = state.jobs[id];
    const waits = job?.phase === "gated" || (job?.phase === "running" && isPaused(job.childPause));
    const runs = job?.phase === "queued" || job?.phase === "running" || job?.phase === "delayed";
    for (const one of [own, all]) {
      one.waits ||= waits;
      one.runs ||= runs && !waits;
    }
  }
  count(pauses.run, all.waits && !all.runs, now);
  for (const [name, { waits, runs }] of seen)
    count((pauses.stages[name] ??= newPause()), waits && !runs, now);
}

function newPause(): Pause {
  return { ms: 0, since: null };
}

function isPaused(pause: Pause | undefined): boolean {
  return typeof pause?.since === "number";
}

function count(pause: Pause, waits: boolean, now: number): void {
  if (waits) pause.since ??= now;
  else if (pause.since !== null) Object.assign(pause, { ms: pause.ms + now - pause.since, since: null });
}

/** When a limit is reached that would be at `at` without pauses; null during one. */
export function limitAt(at: number, pause: Pause | undefined): number | null {
  if (!pause) return at;
  return pause.since === null ? at + pause.ms : null;
}
