/** Concurrency groups between the run and its jobs: what a job that is to start must hold, and what waiting for it looks like. */
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { storableText } from "../../../platform/storable-text.ts";
import { openGates } from "../approvals/open-gates.ts";
import { createSlotTaker, expectSlotsOf } from "../concurrency/take-slots.ts";
import { slotsOfJob, type SlotNodes, type WantedSlot } from "../concurrency/wanted-slots.ts";
import type { RunPlan } from "./plan-cache.ts";
import { reasonSentence } from "./reasons.ts";
import { moveJob, type RunJob, type RunRecord } from "./run-record.ts";
import type { Startable, Starting } from "./start-context.ts";

function nodesOf(run: RunRecord, plan: RunPlan): SlotNodes {
  return { pipelineId: run.pipeline.id, plan, stages: run.stages, jobs: run.jobs };
}

/** Keeps the places of jobs that are still open. May be called again. */
export async function expectOpenSlots(tx: Transaction, run: RunRecord, plan: RunPlan): Promise<void> {
  const jobs = run.jobs.filter((job) => job.expanded && !isFinal(job.status));
  const approved = await openGates(tx, run.pipeline.id, plan.plan);
  const expects = await expectSlotsOf(tx, run.pipeline.repository_id, {
    ...nodesOf(run, plan),
    jobs,
    approved,
  });
  run.hasSlots ||= expects;
}

export type TakenSlot =
  | { kind: "held" }
  | { kind: "waiting" | "cancelled"; reason: string }
  | { kind: "refused"; reason: "config" | "concurrency_deadlock"; message: string };

export interface JobSlots {
  /** Takes what the job needs, or moves it to `waiting` or `cancelled`. */
  take(row: RunJob): Promise<TakenSlot>;
}

/** Locks the groups of all jobs that are to start, and of whatever else the run has a slot for: some of it may end with them. */
export async function createJobSlots(
  tx: Transaction,
  { run, plan }: Pick<Starting, "run" | "plan">,
  chosen: readonly Startable[],
): Promise<JobSlots> {
  const nodes = nodesOf(run, plan);
  const wanted = new Map<string, WantedSlot[] | string>();
  for (const { row, start } of chosen) if (!start.expand) wanted.set(row.id, wantedBy(nodes, row));
  const all = [...wanted.values()].filter((slots) => typeof slots !== "string").flat();
  run.hasSlots ||= all.length > 0;
  const { repository_id: repositoryId, id: pipelineId } = run.pipeline;
  const taker = await createSlotTaker(tx, { repositoryId, pipelineId, hasSlots: run.hasSlots }, all);
  return {
    async take(row) {
      const slots = wanted.get(row.id) ?? [];
      if (typeof slots === "string") return { kind: "refused", reason: "config", message: slots };
      const answer = await taker.take(slots);
      if (answer.kind === "held") return answer;
      if (answer.kind === "refused") return { ...answer, reason: "config" };
      if (answer.kind === "circle") return deadlock(answer.groups);
      const isWaiting = answer.kind === "waiting";
      const reason = isWaiting ? `concurrency:${answer.group}` : answer.reason;
      // A job that was tried before waits as between two attempts.
      const waits = row.status === "waiting" ? "hold" : "retry";
      moveJob(run, row, { event: isWaiting ? waits : "cancel", reason, message: reasonSentence(reason) });
      return { kind: isWaiting ? "waiting" : "cancelled", reason };
    },
  };
}

function deadlock(groups: readonly string[]): TakenSlot {
  const named = groups.length === 1 ? `group ${groups[0]}` : `groups ${groups.join(", ")}`;
  const message = `It would wait forever: runs hold and wait for slots of the concurrency ${named} in a circle.`;
  return { kind: "refused", reason: "concurrency_deadlock", message };
}

/** A sentence where the name of a group cannot be evaluated. */
function wantedBy(nodes: SlotNodes, row: RunJob): WantedSlot[] | string {
  try {
    return slotsOfJob(nodes, row);
  } catch (error) {
    return storableText((error as Error).message);
  }
}
