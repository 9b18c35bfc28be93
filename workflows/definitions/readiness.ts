/**
 * When a job may be started, and with which outcome of what it depends on. Pure.
 * A job without `needs` follows the order of stages, which reaches back over all stages before; one with `needs`
 * follows only these, but still waits for the order when its stage's `when` asks for a status.
 */
import type { JobStart, Outcome } from "@forgeline/schemas/pipelines/run-activities.ts";
import { jobState, type GraphJob, type GraphStage, type RunState } from "./run-state.ts";

type Standing = { kind: "open" } | { kind: Outcome; by: string | null };
type Ready = Pick<JobStart, "outcome" | "stageOutcome" | "blocked">;

/** Of one decision, so that long chains of stages are walked once, and jobs found by key. */
export interface Memory {
  stages: Map<string, Standing>;
  jobs: Map<string, GraphJob[]>;
}

export function newMemory(state: RunState): Memory {
  const jobs = new Map<string, GraphJob[]>();
  for (const job of state.graph.jobs) {
    const same = jobs.get(job.key);
    if (same) same.push(job);
    else jobs.set(job.key, [job]);
  }
  return { stages: new Map(), jobs };
}

function worst(standings: readonly Standing[]): Standing {
  for (const kind of ["open", "failure", "cancelled"] as const) {
    const found = standings.find((standing) => standing.kind === kind);
    if (found) return found;
  }
  return { kind: "success", by: null };
}

function jobStanding(status: string, allowed: boolean, by: string): Standing {
  if (status === "success" || status === "skipped" || allowed) return { kind: "success", by: null };
  return { kind: status === "cancelled" ? "cancelled" : "failure", by };
}

/** How the stages stand that this one comes after. */
export function orderStanding(state: RunState, stage: GraphStage, memory: Memory): Standing {
  const { stages } = state.graph;
  const before = stages[stages.indexOf(stage) - 1];
  const after = stage.needs ?? (before ? [before.name] : []);
  return worst(after.map((name) => stageStanding(state, name, memory)));
}

function stageStanding(state: RunState, name: string, memory: Memory): Standing {
  const known = memory.stages.get(name);
  if (known) return known;
  const stage = state.graph.stages.find((candidate) => candidate.name === name);
  const own = state.graph.jobs
    .filter((job) => job.stage === name)
    .map((job): Standing => {
      const { phase, status, allowed } = jobState(state, job.id);
      return phase === "final" ? jobStanding(status, allowed, name) : { kind: "open" };
    });
  const standing = worst([...own, ...(stage ? [orderStanding(state, stage, memory)] : [])]);
  memory.stages.set(name, standing);
  return standing;
}

/** null: not yet. */
export function readiness(state: RunState, job: GraphJob, memory: Memory): Ready | null {
  const stage = state.graph.stages.find((candidate) => candidate.name === job.stage);
  if (!stage) throw new Error(`stage ${job.stage} is not part of the run`);
  const order = orderStanding(state, stage, memory);
  if (order.kind === "open" && (job.needs === null || stage.afterOrder)) return null;
  const stageOutcome = stage.afterOrder && order.kind !== "open" ? order.kind : "success";
  if (job.needs) {
    const ready = needsReadiness(state, job.needs, memory);
    return ready && { ...ready, stageOutcome };
  }
  if (order.kind === "open" || order.kind === "success")
    return { outcome: "success", stageOutcome, blocked: null };
  return { outcome: order.kind, stageOutcome, blocked: { reason: "stage_skipped", by: order.by ?? "" } };
}

type Needs = NonNullable<GraphJob["needs"]>;

function needsReadiness(
  state: RunState,
  needs: Needs,
  memory: Memory,
): Pick<JobStart, "outcome" | "blocked"> | null {
  let outcome: Outcome = "success";
  let blocked: JobStart["blocked"] = null;
  for (const need of needs) {
    const standing = needStanding(state, neededJobs(need, memory));
    if (standing === "open") return null;
    if (standing === "failure" || (standing === "cancelled" && outcome === "success")) {
      outcome = standing;
      blocked = { reason: "need_failed", by: need.job };
    } else if (standing === "skipped" && !need.optional) {
      blocked ??= { reason: "need_skipped", by: need.job };
    }
  }
  return { outcome, blocked };
}

/** Of a matrix: all combinations, or those with the values that are asked for. */
function neededJobs(need: Needs[number], memory: Memory): GraphJob[] {
  const jobs = memory.jobs.get(need.job);
  if (!jobs) throw new Error(`job ${need.job} is not part of the run`);
  const wanted = Object.entries(need.matrix ?? {});
  return jobs.filter(({ combination }) => {
    const values = combination?.values;
    return !values || wanted.every(([name, value]) => values[name] === value);
  });
}

/** All together: one that failed counts; skipped they are only if all are, or if there is none. */
function needStanding(state: RunState, jobs: readonly GraphJob[]): Outcome | "open" | "skipped" {
  const states = jobs.map((job) => ({ key: job.key, ...jobState(state, job.id) }));
  if (states.some(({ phase }) => phase !== "final")) return "open";
  const { kind } = worst(states.map(({ key, status, allowed }) => jobStanding(status, allowed, key)));
  return kind === "success" && states.every(({ status }) => status === "skipped") ? "skipped" : kind;
}
