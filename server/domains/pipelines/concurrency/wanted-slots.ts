/** Which slots a run, its stages and its jobs need, with the names of their groups evaluated. Pure. */
import { renderGroup } from "@forgeline/compiler/concurrency-group.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { MatrixValues, Plan, PlanConcurrency } from "@forgeline/schemas/pipeline-file/plan.ts";
import { contextsOf, runFactsOf } from "@forgeline/compiler/plan-language.ts";

export interface WantedSlot extends PlanConcurrency {
  node: "pipeline" | "stage" | "job";
  nodeId: string;
}

/** The parts of a run that a slot can belong to. */
export interface SlotNodes {
  pipelineId: string;
  plan: { plan: Plan; event: PipelineEvent; number: number };
  stages: readonly { id: string; name: string }[];
  jobs: readonly SlotJob[];
}
export interface SlotJob {
  id: string;
  key: string;
  /** Values of this combination of its matrix. */
  matrix: MatrixValues | null;
}

/** Whether anything in the run needs a slot. */
export function needsSlots({ concurrency, stages, jobs }: Plan): boolean {
  return [{ concurrency }, ...stages, ...jobs].some((part) => part.concurrency);
}

/**
 * Slots that the job needs before it starts, in the order in which it asks: the run's, its stage's, its own. Whoever holds the
 * group further out needs no second slot of it. Throws an `Error` when a name cannot be evaluated.
 */
export function slotsOfJob(run: SlotNodes, job: SlotJob): WantedSlot[] {
  const { plan } = run.plan;
  const planned = plan.jobs.find(({ key }) => key === job.key);
  const stage = plan.stages.find(({ name }) => name === planned?.stage);
  const stageId = run.stages.find(({ name }) => name === stage?.name)?.id ?? "";
  const parts = [
    { node: "pipeline", nodeId: run.pipelineId, wanted: plan.concurrency, matrix: null },
    { node: "stage", nodeId: stageId, wanted: stage?.concurrency, matrix: null },
    { node: "job", nodeId: job.id, wanted: planned?.concurrency, matrix: job.matrix },
  ] as const;
  const slots: WantedSlot[] = [];
  for (const { node, nodeId, wanted, matrix } of parts) {
    if (!wanted) continue;
    const group = groupOf(run, wanted, matrix);
    const isHeld = slots.some((outer) => outer.group === group && outer.scope === wanted.scope);
    if (!isHeld) slots.push({ ...wanted, node, nodeId, group });
  }
  return slots;
}

export interface ExpectedSlot extends WantedSlot {
  /** No job can ask for it before people have approved something. */
  gated: boolean;
}

/**
 * Slots for which jobs of the run may ask in the order of runs; those that cannot be evaluated are told when their jobs start.
 * `gated`: keys of the jobs that wait for people.
 */
export function expectedSlots(run: SlotNodes, gated: ReadonlySet<string>): ExpectedSlot[] {
  const slots = new Map<string, ExpectedSlot>();
  for (const job of run.jobs) {
    for (const slot of slotsOrNone(run, job)) {
      if (slot.order !== "created") continue;
      const known = slots.get(slot.nodeId) ?? { ...slot, gated: true };
      slots.set(slot.nodeId, { ...known, gated: known.gated && gated.has(job.key) });
    }
  }
  return [...slots.values()];
}

function slotsOrNone(run: SlotNodes, job: SlotJob): WantedSlot[] {
  try {
    return slotsOfJob(run, job);
  } catch {
    return [];
  }
}

function groupOf(
  { pipelineId, plan }: SlotNodes,
  wanted: PlanConcurrency,
  matrix: MatrixValues | null,
): string {
  const { event } = plan;
  // The address of a run is of no use in a name that runs share, so it goes without the host.
  const pipeline = runFactsOf(pipelineId, plan, "");
  return renderGroup(wanted, contextsOf({ event, pipeline, needs: {}, matrix }));
}
