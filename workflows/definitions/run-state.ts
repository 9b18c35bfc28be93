/**
 * What the workflow remembers of a run, and how facts and answers change it.
 *
 * A job is `pending` (waits for what it depends on), `gated` (waits for people at a gate), `queued`, `running`, `delayed` (waits for its next try) or
 * `final`. Facts of an earlier attempt than the latest, or of one that has ended here, change nothing: so the same fact
 * twice, `started` after `done`, and facts of a reclaimed attempt are all harmless. Facts of the next attempt are kept: a
 * worker that died began it, and the decision is made again only after them.
 */
import type { AttemptFact, CancelRequest, RunGraph } from "@forgeline/schemas/pipelines/workflow.ts";
import type {
  JobSettled,
  JobStarted,
  JobStop,
  JobStopped,
} from "@forgeline/schemas/pipelines/run-activities.ts";
import { applyAsked, type Pause, type Pauses } from "./approval-gates.ts";
import { expandJob } from "./matrix-jobs.ts";
import { failureClass, retryDelay } from "./retry.ts";

export type GraphJob = RunGraph["jobs"][number];
export type GraphStage = RunGraph["stages"][number];

/** Everything open below is to end: by a person, or because a limit was reached. */
export interface Ending {
  status: "cancelled" | "failed";
  reason: string;
  force: boolean;
  at: number;
}
export interface RequestedStop extends JobStop {
  deadline: number;
}
export interface JobState {
  phase: "pending" | "gated" | "queued" | "running" | "delayed" | "final";
  attempt: number;
  /** When it was queued, was started, or is to be tried again; while `gated`, when its gates are asked again; milliseconds. */
  since: number;
  stop: RequestedStop | null;
  /** A runner took it just before its queue limit, which then no longer counts. */
  taken: boolean;
  status: string;
  reason: string | null;
  allowed: boolean;
  /** It could start, but as many combinations of its matrix run as may; that is written down. */
  isHeld?: boolean;
  /** Its gates have let it pass in this sequence. */
  hasPassed?: boolean;
  /** It has met its conditions, and needs a slot of a concurrency group: `granted` when it can ask again. */
  slot?: "awaited" | "granted";
  /** When the pipeline that its attempt has started waited; absent if it never did. */
  childPause?: Pause;
}
export interface RunState {
  graph: RunGraph;
  jobs: Record<string, JobState>;
  /** First start of the run and of each stage by name; milliseconds. */
  startedAt: number | null;
  stageStartedAt: Record<string, number>;
  ending: Ending | null;
  stageEnding: Record<string, Ending>;
  /** Matrices with `fail_fast` of which a combination has failed, by key; absent in older states. */
  matrixEnding?: Record<string, Ending>;
  /** When the run and its stages waited for nothing but approvals; absent where there are none. */
  pauses?: Pauses;
  /** Jobs that gave way to a newer run, by id; absent in older states. */
  jobEnding?: Record<string, Ending>;
  /** Decided here, not yet written. */
  unsettled: JobSettled[];
  /** Facts of attempts that are not begun here yet; none in a state that was carried on from before they were kept. */
  early?: KeptFact[];
}
/** `own`: what failed by itself is not cancelled because another combination of its matrix failed. */
type KeptFact = AttemptFact & { own?: boolean };

/** Clocks of what is in progress already start over at `now`. */
export function newRunState(graph: RunGraph, now: number): RunState {
  const state: RunState = {
    graph,
    jobs: {},
    startedAt: null,
    stageStartedAt: {},
    ending: null,
    stageEnding: {},
    unsettled: [],
  };
  for (const job of graph.jobs) {
    state.jobs[job.id] = newJobState(job, now);
    if (!job.going?.started) continue;
    state.startedAt = now;
    state.stageStartedAt[job.stage] = now;
  }
  return state;
}

function newJobState(job: GraphJob, now: number): JobState {
  return {
    phase: phaseOf(job),
    attempt: job.going?.attempt ?? job.attempts,
    since: job.going ? now : 0,
    stop: null,
    taken: false,
    status: job.kept?.status ?? "waiting",
    reason: job.kept?.reason ?? null,
    allowed: job.kept?.allowed ?? false,
    ...(job.going?.childWaits ? { childPause: { ms: 0, since: now } } : {}),
  };
}

function phaseOf({ kept, going }: GraphJob): JobState["phase"] {
  if (kept) return "final";
  if (!going) return "pending";
  return going.started ? "running" : "queued";
}

export function jobState(state: RunState, jobId: string): JobState {
  const job = state.jobs[jobId];
  if (!job) throw new Error(`job ${jobId} is not part of the run`);
  return job;
}

export function endJob(state: RunState, jobId: string, end: Omit<JobSettled, "jobId" | "attempt">): void {
  const job = jobState(state, jobId);
  Object.assign(job, { ...end, phase: "final", stop: null });
  state.unsettled.push({ jobId, attempt: job.attempt, ...end });
}

export function applyCancel(state: RunState, request: CancelRequest, now: number): void {
  if (state.ending?.status === "cancelled") state.ending.force ||= request.force;
  else state.ending = { status: "cancelled", reason: request.reason, force: request.force, at: now };
}

export function applyFact(state: RunState, fact: KeptFact, now: number): void {
  const job = state.jobs[fact.jobId];
  const graph = state.graph.jobs.find((candidate) => candidate.id === fact.jobId);
  if (!job || !graph) return;
  const isWaiting = job.phase === "pending" || job.phase === "delayed";
  if (isWaiting && fact.attempt === job.attempt + 1) (state.early ??= []).push(fact);
  if (fact.attempt !== job.attempt) return;
  if (job.phase !== "queued" && job.phase !== "running") return;
  if (fact.kind !== "started") return endAttempt(state, graph, { end: fact, now });
  if (job.phase === "running") return;
  job.phase = "running";
  job.since = now;
  state.startedAt ??= now;
  state.stageStartedAt[graph.stage] ??= now;
}

type End = Pick<KeptFact, "status" | "reason" | "exitCode" | "begun" | "decided" | "own">;

function endAttempt(state: RunState, graph: GraphJob, { end, now }: { end: End; now: number }): void {
  const job = jobState(state, graph.id);
  const status = end.status ?? "error";
  const { stop } = job;
  const isOwn = end.decided || (end.own && stop?.reason === "fail_fast" && status === "failed");
  if (stop && !isOwn && (stop.status === "cancelled" || status !== "success")) {
    endJob(state, graph.id, {
      status: stop.status,
      reason: stop.reason,
      allowed: isAllowed(graph, stop.status, null),
    });
    return;
  }
  const delay = mayRetry(state, graph, end)
    ? retryDelay(graph.retry, { status, reason: end.reason }, job.attempt - graph.attempts - 1)
    : null;
  if (delay === null || status === "success") {
    endJob(state, graph.id, { status, reason: end.reason, allowed: isAllowed(graph, status, end.exitCode) });
    return;
  }
  job.phase = "delayed";
  job.since = now + delay;
  if (delay === 0) return;
  const { attempt } = job;
  state.unsettled.push({ jobId: graph.id, attempt, status: "waiting", reason: "retry", allowed: false });
}

/** What ends the job, if anything does. */
export function endingAbove(state: RunState, { id, key, stage }: GraphJob): Ending | null {
  const ofJob = state.jobEnding?.[id] ?? state.matrixEnding?.[key];
  return state.ending ?? state.stageEnding[stage] ?? ofJob ?? null;
}

/** Once the first step began, `rerun_if_lost: false` forbids another try after a loss. */
function mayRetry(state: RunState, graph: GraphJob, end: End): boolean {
  if (endingAbove(state, graph)) return false;
  return graph.rerunIfLost || !end.begun || failureClass(end.reason) !== "infra";
}

function isAllowed(graph: GraphJob, status: string, exitCode: number | null): boolean {
  if (status !== "failed") return false;
  if (typeof graph.allowFailure === "boolean") return graph.allowFailure;
  return exitCode !== null && graph.allowFailure.includes(exitCode);
}

export function applyStarted(state: RunState, started: readonly JobStarted[], now: number): void {
  for (const answer of started) {
    const job = jobState(state, answer.jobId);
    for (const { jobId, status, reason } of answer.ended ?? [])
      Object.assign(jobState(state, jobId), { phase: "final", status, reason, allowed: false });
    if (answer.status === "queued") {
      Object.assign(job, { phase: "queued", attempt: job.attempt + 1, since: now, stop: null, taken: false });
      job.isHeld = false;
      delete job.slot;
      delete job.childPause;
    } else if (answer.status === "waiting") {
      Object.assign(job, { phase: "pending", slot: "awaited", stop: null });
    } else if (answer.status === "expanded") {
      expandJob(state, answer);
    } else if (!applyAsked(job, answer, now)) {
      Object.assign(job, { phase: "final", status: answer.status, reason: answer.reason, allowed: false });
    }
  }
}

/** Those of attempts that have begun here meanwhile, in the order they were said. */
export function takeEarly(state: RunState): KeptFact[] {
  const early = state.early ?? [];
  const isCurrent = (fact: KeptFact) => jobState(state, fact.jobId).attempt === fact.attempt;
  state.early = early.filter((fact) => !isCurrent(fact));
  return early.filter(isCurrent);
}

export function applyStopped(
  state: RunState,
  { asked, answers }: { asked: readonly JobStop[]; answers: readonly JobStopped[] },
  now: number,
): void {
  const { graceMs, marginMs, alwaysMs } = state.graph.limits;
  for (const stop of asked) {
    const job = jobState(state, stop.jobId);
    const graph = state.graph.jobs.find((candidate) => candidate.id === stop.jobId);
    const result = answers.find((answer) => answer.jobId === stop.jobId)?.result ?? "over";
    if (job.phase === "final") continue;
    if (result === "ended") {
      endJob(state, stop.jobId, { status: stop.status, reason: stop.reason, allowed: false });
    } else if (stop.queuedOnly) {
      job.taken = true;
    } else {
      const always = graph?.alwaysSteps && !stop.force ? alwaysMs : 0;
      job.stop = { ...stop, deadline: now + graceMs + marginMs + always };
    }
  }
}

/** Those that had ended before keep their stop: their own fact is on its way and is not late any more. */
export function applyForced(
  state: RunState,
  forced: readonly JobStop[],
  answers: readonly JobStopped[],
): void {
  for (const stop of forced) {
    const job = jobState(state, stop.jobId);
    if (job.phase === "final") continue;
    if (answers.some((answer) => answer.jobId === stop.jobId && answer.result === "ended")) {
      endJob(state, stop.jobId, { status: stop.status, reason: stop.reason, allowed: false });
    } else if (job.stop) job.stop.deadline = Number.MAX_SAFE_INTEGER;
  }
}
