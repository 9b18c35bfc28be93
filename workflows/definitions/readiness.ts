/**
 * When a job may be started, and with which outcome of what it depends on. Pure.
 * A job without `needs` follows the order of stages, which reaches back over all stages before; one with `needs`
 * follows only these, but still waits for the order when its stage's `when` asks for a status.
 */
import type { JobStart, Outcome } from "@forgeline/schemas/pipelines/run-activities.ts";
import { jobState, type GraphJob, type GraphStage, type RunState } from "./run-state.ts";

type Standing = { kind: "open" } | { kind: Outcome; by: string | null };
type Ready = Pick<JobStart, "outcome" | "stageOutcome" | "blocked">;

/** Memory of one decision, so that long chains of stages are walked once. */
export type LimitStatus = Map<string, Standing>;

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
export function orderStanding(state: RunState, stage: GraphStage, memory: LimitStatus): Standing {
  const { stages } = state.graph;
  const before = stages[stages.indexOf(stage) - 1];
  const after = stage.needs ?? (before ? [before.name] : []);
  return worst(after.map((name) => stageStanding(state, name, memory)));
}

function stageStanding(state: RunState, name: string, memory: LimitStatus): Standing {
  const known = memory.get(name);
  if (known) return known;
  const stage = state.graph.stages.find((candidate) => candidate.name === name);
  const own = state.graph.jobs
    .filter((job) => job.stage === name)
    .map((job): Standing => {
      const { phase, status, allowed } = jobState(state, job.id);
      return phase === "final" ? jobStanding(status, allowed, name) : { kind: "open" };
    });
  const standing = worst([...own, ...(stage ? [orderStanding(state, stage, memory)] : [])]);
  memory.set(name, standing);
  return standing;
}

/** null: not yet. */
export function readiness(state: RunState, job: GraphJob, memory: LimitStatus): Ready | null {
  const stage = state.graph.stages.find((candidate) => candidate.name === job.stage);
  if (!stage) throw new Error(`stage ${job.stage} is not part of the run`);
  const order = orderStanding(state, stage, memory);
  if (order.kind === "open" && (job.needs === null || stage.afterOrder)) return null;
  const stageOutcome = stage.afterOrder && order.kind !== "open" ? order.kind : "success";
  if (job.needs) {
    const ready = needsReadiness(state, job.needs);
    return ready && { ...ready, stageOutcome };
  }
  if (order.kind === "open" || order.kind === "success")
    return { outcome: "success", stageOutcome, blocked: null };
  return { outcome: order.kind, stageOutcome, blocked: { reason: "stage_skipped", by: order.by ?? "" } };
}

function needsReadiness(
  state: RunState,
  needs: NonNullable<GraphJob["needs"]>,
): Pick<JobStart, "outcome" | "blocked"> | null {
  let outcome: Outcome = "success";
  let blocked: JobStart["blocked"] = null;
  for (const need of needs) {
    const graph = state.graph.jobs.find((candidate) => candidate.key === need.job);
    if (!graph) throw new Error(`job ${need.job} is not part of the run`);
    const { phase, status, allowed } = jobState(state, graph.id);
    if (phase !== "final") return null;
    const standing = jobStanding(status, allowed, need.job).kind;
    if (standing === "failure" || (standing === "cancelled" && outcome === "success")) {
      outcome = standing;
      blocked = { reason: "need_failed", by: need.job };
    } else if (status === "skipped" && !need.optional) {
      blocked ??= { reason: "need_skipped", by: need.job };
    }
  }
  return { outcome, blocked };
}
