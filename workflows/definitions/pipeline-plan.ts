/**
 * What of a run comes next: a function of what is known and the time. No I/O, no waiting; the definition carries the
 * decision out, tells the state what came of it, and asks again.
 */
import type { JobSettled, JobStart, JobStop } from "@forgeline/schemas/pipelines/run-activities.ts";
import { countPauses, limitAt, mustAsk } from "./approval-gates.ts";
import { countActive, endFailedMatrices, isFirstOpen } from "./matrix-jobs.ts";
import { newMemory, readiness, type Memory } from "./readiness.ts";
import {
  endJob,
  endingAbove,
  jobState,
  type Ending,
  type GraphJob,
  type JobState,
  type RunState,
} from "./run-state.ts";

export interface Decision {
  settle: JobSettled[];
  stop: JobStop[];
  force: JobStop[];
  start: JobStart[];
  /** Every job is final: what `settle` holds is the last. */
  finished: boolean;
  /** When a limit or delay is reached next, milliseconds; null when none runs. */
  wakeAt: number | null;
}

interface Draft extends Decision {
  memory: Memory;
  /** Combinations of matrices that run, by key. */
  active: Map<string, number>;
}

/** One decision in the making: of which run, and when. */
interface Round {
  state: RunState;
  draft: Draft;
  now: number;
}

/** Marks limits that are over, ends what need not be asked, and says what is to be done. */
export function decide(state: RunState, now: number): Decision {
  const draft: Draft = {
    settle: [],
    stop: [],
    force: [],
    start: [],
    finished: false,
    wakeAt: null,
    memory: newMemory(state),
    active: countActive(state),
  };
  countPauses(state, now);
  expire(state, draft, now);
  endFailedMatrices(state, now);
  const round = { state, draft, now };
  for (const job of state.graph.jobs) {
    const known = jobState(state, job.id);
    if (known.phase === "pending" || known.phase === "delayed" || known.phase === "gated")
      decideWaiting(round, job);
    else if (known.phase !== "final") decideActive(round, job);
  }
  const { memory: _, active: __, ...decision } = draft;
  decision.settle = state.unsettled.splice(0);
  decision.finished = state.graph.jobs.every((job) => jobState(state, job.id).phase === "final");
  return decision;
}

/** True from `at` on; before that, makes sure that someone looks again at `at`. null: never. */
function due(draft: Draft, at: number | null, now: number): boolean {
  if (at === null) return false;
  if (now >= at) return true;
  draft.wakeAt = Math.min(draft.wakeAt ?? at, at);
  return false;
}

function expire(state: RunState, draft: Draft, now: number): void {
  const over = (): Ending => ({ status: "failed", reason: "timeout", force: false, at: now });
  const { graph } = state;
  if (
    !state.ending &&
    state.startedAt !== null &&
    due(draft, limitAt(state.startedAt + graph.timeoutMs, state.pauses?.run), now)
  ) {
    state.ending = over();
  }
  for (const stage of graph.stages) {
    const startedAt = state.stageStartedAt[stage.name];
    if (stage.timeoutMs === null || startedAt === undefined || state.stageEnding[stage.name]) continue;
    const at = limitAt(startedAt + stage.timeoutMs, state.pauses?.stages[stage.name]);
    if (due(draft, at, now)) state.stageEnding[stage.name] = over();
  }
}

/** Why the job has to end now; what says `always` gets some minutes more unless it is forced. */
function endingOf({ state, draft, now }: Round, job: GraphJob): Ending | null {
  const ending = endingAbove(state, job);
  if (!ending || ending.force || !job.always) return ending;
  return due(draft, ending.at + state.graph.limits.alwaysMs, now) ? { ...ending, force: true } : null;
}

function decideWaiting(round: Round, job: GraphJob): void {
  const { state, draft, now } = round;
  const known = jobState(state, job.id);
  // Nobody is asked any more to approve what is ending, whatever its `when` says.
  const ending = mustAsk(state, job) ? endingAbove(state, job) : endingOf(round, job);
  if (ending) {
    const cancelled = ending.status === "cancelled";
    const { status, reason } = cancelled ? ending : { status: "skipped" as const, reason: "stage_skipped" };
    endJob(state, job.id, { status, reason, allowed: false });
    return;
  }
  if (known.slot === "awaited") return;
  const attempt = known.attempt + 1;
  if (known.phase === "delayed" || known.slot === "granted") {
    if (known.phase === "delayed" && !due(draft, known.since, now)) return;
    if (known.phase === "pending" && !takePlace(round, job)) return;
    const met = { outcome: "success", stageOutcome: "success", blocked: null } as const;
    draft.start.push({ jobId: job.id, attempt, retry: true, ...met });
    return;
  }
  if (known.phase === "gated" && !due(draft, known.since, now)) return;
  const isOpen = job.combination?.isOpen ?? false;
  if (isOpen && !isFirstOpen(state, job)) return;
  const ready = readiness(state, job, draft.memory);
  if (!ready) return;
  const asks = !isOpen && mustAsk(state, job);
  if (!isOpen && !asks && !takePlace(round, job)) return;
  const outcome = endingAbove(state, job)?.status === "cancelled" ? "cancelled" : ready.outcome;
  const only = isOpen ? { expand: true } : asks ? { ask: true } : {};
  draft.start.push({ jobId: job.id, attempt, retry: false, ...only, ...ready, outcome });
}

/** False if as many combinations of its matrix run as may; that is written down once. */
function takePlace({ state, draft }: Round, { id, key, combination }: GraphJob): boolean {
  if (!combination) return true;
  const active = draft.active.get(key) ?? 0;
  if (combination.maxParallel === null || active < combination.maxParallel) {
    draft.active.set(key, active + 1);
    return true;
  }
  const known = jobState(state, id);
  if (!known.isHeld) {
    const { attempt } = known;
    state.unsettled.push({ jobId: id, attempt, status: "waiting", reason: "max_parallel", allowed: false });
  }
  known.isHeld = true;
  return false;
}

function decideActive(round: Round, job: GraphJob): void {
  const { state, draft, now } = round;
  const known = jobState(state, job.id);
  const wanted = wantedStop(round, job);
  if (wanted && (!known.stop || (wanted.force && !known.stop.force))) draft.stop.push(wanted);
  else if (known.stop && due(draft, known.stop.deadline, now)) {
    const { deadline: _, ...stop } = known.stop;
    draft.force.push(stop);
  }
}

function wantedStop(round: Round, job: GraphJob): JobStop | null {
  const { state, draft, now } = round;
  const known: JobState = jobState(state, job.id);
  const base = { jobId: job.id, attempt: known.attempt, force: false, queuedOnly: false };
  const ending = endingOf(round, job);
  if (ending) return { ...base, status: ending.status, reason: ending.reason, force: ending.force };
  if (known.stop) return null;
  if (known.phase === "running") {
    const over = due(draft, limitAt(known.since + job.timeoutMs, known.childPause), now);
    return over ? { ...base, status: "failed", reason: "timeout" } : null;
  }
  if (known.taken || !due(draft, known.since + job.queueTimeoutMs, now)) return null;
  return { ...base, status: "error", reason: "queue_timeout", queuedOnly: true };
}
