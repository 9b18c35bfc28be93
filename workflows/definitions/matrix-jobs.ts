/** Jobs with a matrix: combinations that become known during the run, and what one combination means for the others. */
import type { JobStarted } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { GraphJob, RunState } from "./run-state.ts";

/**
 * The combinations of a job are known now. Those that are new get a place in the graph after the job, and wait as it did; the jobs of
 * the same key that are not among them have ended.
 */
export function expandJob(state: RunState, answer: JobStarted): void {
  const { jobs } = state.graph;
  const index = jobs.findIndex((job) => job.id === answer.jobId);
  const like = jobs[index];
  if (!like?.combination) throw new Error(`job ${answer.jobId} has no matrix`);
  const { key, combination } = like;
  for (const job of jobs) if (job.key === key && job.combination) job.combination.isOpen = false;
  const added: GraphJob[] = [];
  for (const { jobId, values } of answer.combinations ?? []) {
    const known = jobs.find((job) => job.id === jobId);
    if (known) known.combination = { ...combination, values, isOpen: false };
    else added.push(newCombination(like, jobId, values));
  }
  jobs.splice(index + 1, 0, ...added);
  for (const job of added) state.jobs[job.id] = waitingJob();
}

function newCombination(like: GraphJob, id: string, values: Record<string, string>): GraphJob {
  const { going: _, ...job } = like;
  const { maxParallel = null, failFast = false } = like.combination ?? {};
  const combination = { values, isOpen: false, maxParallel, failFast };
  return { ...job, id, attempts: 0, kept: null, combination };
}

function waitingJob(): RunState["jobs"][string] {
  const job = { phase: "pending", attempt: 0, since: 0, stop: null, taken: false } as const;
  return { ...job, status: "waiting", reason: null, allowed: false };
}

/** Ends the other combinations of each matrix with `fail_fast` of which one has failed for good in this sequence. */
export function endFailedMatrices(state: RunState, now: number): void {
  for (const { id, key, kept, combination } of state.graph.jobs) {
    if (!combination?.failFast || kept || state.matrixEnding?.[key]) continue;
    const job = state.jobs[id];
    const hasFailed = job?.phase === "final" && (job.status === "failed" || job.status === "error");
    if (!hasFailed || job.allowed) continue;
    state.matrixEnding ??= {};
    state.matrixEnding[key] = { status: "cancelled", reason: "fail_fast", force: false, at: now };
  }
}

/** How many combinations hold a place among those that may run at the same time, by key. */
export function countActive(state: RunState): Map<string, number> {
  const active = new Map<string, number>();
  for (const { id, key, combination } of state.graph.jobs) {
    const phase = state.jobs[id]?.phase;
    const isWaiting = phase === "pending" || phase === "gated";
    if (combination && !isWaiting && phase !== "final") active.set(key, (active.get(key) ?? 0) + 1);
  }
  return active;
}

/** The one of the combinations that are not known yet which is sent to learn them. */
export function isFirstOpen(state: RunState, job: GraphJob): boolean {
  return state.graph.jobs.find((other) => other.key === job.key && other.combination?.isOpen)?.id === job.id;
}
