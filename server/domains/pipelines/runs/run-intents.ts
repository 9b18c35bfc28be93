/** Intents about runs for Temporal, through the outbox; consecutive facts become one signal. */
import { z } from "zod";
import {
  attemptFactsSignal,
  AttemptFact,
  CancelRequest,
  cancelSignal,
  ChildWait,
  childWaitSignal,
  GateDecided,
  gateDecidedSignal,
  pipelineTaskQueue,
  pipelineWorkflowId,
  pipelineWorkflowName,
  SlotChange,
  slotChangedSignal,
} from "@forgeline/schemas/pipelines/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import {
  addIntent,
  type Handover,
  type OutboxHandler,
  type OutboxItem,
} from "../../../platform/outbox/outbox.ts";
import type { Temporal } from "../../../platform/temporal.ts";

const run = { pipelineId: z.string(), sequence: z.number().int() };
const RunIntent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start_pipeline"), ...run }),
  z.object({ kind: z.literal("attempt_fact"), ...run, fact: AttemptFact }),
  z.object({ kind: z.literal("cancel_pipeline"), ...run, request: CancelRequest }),
  z.object({ kind: z.literal("gate_decided"), ...run, gate: GateDecided }),
  z.object({ kind: z.literal("slot_changed"), ...run, change: SlotChange }),
  z.object({ kind: z.literal("child_wait"), ...run, wait: ChildWait }),
  /** Restarts the workflow of an open run after the previous one has failed. */
  z.object({ kind: z.literal("resume_pipeline"), ...run }),
]);
export type RunIntent = z.infer<typeof RunIntent>;

/** Prefix of the keys of intents about runs. */
export const runKey = "pipeline";

/** Items of one run share a key, so that a start goes before its signals. */
export async function addRunIntent(tx: Transaction, repositoryId: string, intent: RunIntent): Promise<void> {
  const { kind, pipelineId } = intent;
  await addIntent(tx, { kind, key: `${runKey}:${pipelineId}`, group: repositoryId, payload: intent });
}

export interface RunHandlerDeps {
  temporal: Temporal;
  /** Default: that of the contract; tests have their own. */
  taskQueue?: string;
}

/** Errors that mean the items are done: the workflow was already started, or the signalled one has ended. */
export function createRunHandler(deps: RunHandlerDeps): OutboxHandler {
  return (items) => {
    const result: Handover[] = [];
    let facts: { sequence: number; list: AttemptFact[] } | undefined;
    for (const item of items) {
      const intent = RunIntent.safeParse(item.payload).data;
      const last = result.at(-1);
      if (intent?.kind === "attempt_fact" && facts?.sequence === intent.sequence && last) {
        facts.list.push(intent.fact);
        last.items.push(item);
        continue;
      }
      const list = intent?.kind === "attempt_fact" ? [intent.fact] : [];
      facts = intent?.kind === "attempt_fact" ? { sequence: intent.sequence, list } : undefined;
      result.push(intent ? handover(deps, { item, intent, facts: list }) : unreadable(item));
    }
    return result;
  };
}

function unreadable(item: OutboxItem): Handover {
  const call = () => Promise.reject(new Error("the intent cannot be read"));
  return { kind: "unreadable", items: [item], call };
}

/** `facts`: those that are sent together, to which more may be added before the call. */
function handover(
  deps: RunHandlerDeps,
  { item, intent, facts }: { item: OutboxItem; intent: RunIntent; facts: AttemptFact[] },
): Handover {
  const { kind, pipelineId, sequence } = intent;
  const workflowId = pipelineWorkflowId(pipelineId, sequence);
  const made = (call: () => Promise<void>): Handover => ({ kind, items: [item], call });
  if (kind === "attempt_fact") return made(() => signal(deps, workflowId, [attemptFactsSignal, facts]));
  if (kind === "cancel_pipeline") return made(() => signal(deps, workflowId, [cancelSignal, intent.request]));
  if (kind === "gate_decided") return made(() => signal(deps, workflowId, [gateDecidedSignal, intent.gate]));
  if (kind === "slot_changed")
    return made(() => signal(deps, workflowId, [slotChangedSignal, intent.change]));
  if (kind === "child_wait") return made(() => signal(deps, workflowId, [childWaitSignal, intent.wait]));
  // A workflow that has succeeded is never started again: the intent was handed over before.
  const policy = kind === "resume_pipeline" ? "ALLOW_DUPLICATE_FAILED_ONLY" : "REJECT_DUPLICATE";
  return made(() => start(deps, { workflowId, policy, input: { pipelineId, sequence } }));
}

interface Start {
  workflowId: string;
  policy: "ALLOW_DUPLICATE_FAILED_ONLY" | "REJECT_DUPLICATE";
  input: { pipelineId: string; sequence: number };
}

async function start(
  { temporal, taskQueue = pipelineTaskQueue }: RunHandlerDeps,
  { workflowId, policy, input }: Start,
): Promise<void> {
  await temporal.call((client) =>
    client.workflow.start(pipelineWorkflowName, {
      taskQueue,
      workflowId,
      workflowIdReusePolicy: policy,
      // How long a decision is delayed if its worker dies.
      workflowTaskTimeout: "5 s",
      args: [input],
    }),
  );
}

async function signal(
  { temporal }: RunHandlerDeps,
  workflowId: string,
  [name, argument]: [name: string, argument: unknown],
): Promise<void> {
  await temporal.call((client) => client.workflow.getHandle(workflowId).signal(name, argument));
}
