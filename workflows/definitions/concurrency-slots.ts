/**
 * Slots of concurrency groups, as far as the workflow decides about them: a job that needs one waits until it is told, and what
 * has to give way to a newer run ends. Who gets a slot is decided where the slots are, in the activities. Pure.
 */
import type { SlotChange } from "@forgeline/schemas/pipelines/workflow.ts";
import { applyCancel, jobState, type Ending, type GraphJob, type RunState } from "./run-state.ts";

/** Jobs that waited ask again; what was superseded is to end. */
export function applySlotChange(state: RunState, change: SlotChange, now: number): void {
  const { superseded } = change;
  if (superseded === null) {
    for (const job of state.graph.jobs) {
      const known = jobState(state, job.id);
      if (known.slot === "awaited" && isOf(state, change, job)) known.slot = "granted";
    }
    return;
  }
  const ending: Ending = { status: "cancelled", reason: superseded, force: false, at: now };
  if (change.node === "pipeline") applyCancel(state, { reason: superseded, force: false }, now);
  else if (change.node === "job") (state.jobEnding ??= {})[change.nodeId] ??= ending;
  else {
    const stage = state.graph.stages.find(({ id }) => id === change.nodeId);
    if (stage) state.stageEnding[stage.name] ??= ending;
  }
}

function isOf(state: RunState, { node, nodeId }: SlotChange, job: GraphJob): boolean {
  if (node === "pipeline") return true;
  if (node === "job") return job.id === nodeId;
  return state.graph.stages.find(({ id }) => id === nodeId)?.name === job.stage;
}
