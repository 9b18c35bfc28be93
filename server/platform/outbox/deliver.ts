/** Hands the items of one key to Temporal, in order; facts that follow each other become one signal. */
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from "@temporalio/client";
import {
  attemptFactsSignal,
  cancelSignal,
  pipelineTaskQueue,
  pipelineWorkflowId,
  pipelineWorkflowName,
  type AttemptFact,
} from "@forgeline/schemas/pipelines/workflow.ts";
import type { Logger } from "../logger.ts";
import type { Temporal } from "../temporal.ts";
import type { OutboxIntent } from "./outbox.ts";

export interface OutboxItem {
  id: number;
  key: string;
  payload: OutboxIntent;
  attempts: number;
}

/** One call to Temporal, and the items that are done with it. */
interface Handover {
  items: OutboxItem[];
  call: () => Promise<void>;
}

export interface Delivery {
  done: OutboxItem[];
  failed: { item: OutboxItem; error: Error } | null;
}

export interface DeliverDeps {
  temporal: Temporal;
  logger: Logger;
  /** Default: that of the contract; tests have their own. */
  taskQueue?: string;
}

/** Stops at the first item that fails; those after it wait their turn. */
export async function deliver(deps: DeliverDeps, items: readonly OutboxItem[]): Promise<Delivery> {
  const done: OutboxItem[] = [];
  for (const handover of handovers(deps, items)) {
    try {
      await handover.call();
    } catch (error) {
      const [item] = handover.items;
      if (!item) continue;
      if (!alreadyDone(deps.logger, item, error)) return { done, failed: { item, error: error as Error } };
    }
    done.push(...handover.items);
  }
  return { done, failed: null };
}

function alreadyDone(logger: Logger, item: OutboxItem, error: unknown): boolean {
  if (error instanceof WorkflowExecutionAlreadyStartedError) return true;
  if (!(error instanceof WorkflowNotFoundError)) return false;
  logger.info({ key: item.key, kind: item.payload.kind }, "signal dropped: its workflow has ended");
  return true;
}

function handovers(deps: DeliverDeps, items: readonly OutboxItem[]): Handover[] {
  const { temporal } = deps;
  const result: Handover[] = [];
  let facts: { sequence: number; list: AttemptFact[] } | undefined;
  for (const item of items) {
    const { payload } = item;
    const workflowId = pipelineWorkflowId(payload.pipelineId, payload.sequence);
    const last = result.at(-1);
    if (payload.kind === "attempt_fact" && facts?.sequence === payload.sequence && last) {
      facts.list.push(payload.fact);
      last.items.push(item);
      continue;
    }
    facts = undefined;
    if (payload.kind === "attempt_fact") {
      const list = [payload.fact];
      facts = { sequence: payload.sequence, list };
      result.push({
        items: [item],
        call: () => signal(temporal, workflowId, { name: attemptFactsSignal, argument: list }),
      });
    } else if (payload.kind === "cancel_pipeline") {
      const { request } = payload;
      result.push({
        items: [item],
        call: () => signal(temporal, workflowId, { name: cancelSignal, argument: request }),
      });
    } else {
      const input = { pipelineId: payload.pipelineId, sequence: payload.sequence };
      // What has succeeded is never begun again: then the intent was handed over before.
      const policy = payload.kind === "resume_pipeline" ? "ALLOW_DUPLICATE_FAILED_ONLY" : "REJECT_DUPLICATE";
      result.push({ items: [item], call: () => start(deps, { workflowId, policy, input }) });
    }
  }
  return result;
}

interface Start {
  workflowId: string;
  policy: "ALLOW_DUPLICATE_FAILED_ONLY" | "REJECT_DUPLICATE";
  input: { pipelineId: string; sequence: number };
}

async function start(
  { temporal, taskQueue = pipelineTaskQueue }: DeliverDeps,
  { workflowId, policy, input }: Start,
): Promise<void> {
  await temporal.call((client) =>
    client.workflow.start(pipelineWorkflowName, {
      taskQueue,
      workflowId,
      workflowIdReusePolicy: policy,
      // How long a worker that died in the middle of a decision holds it up.
      workflowTaskTimeout: "5 s",
      args: [input],
    }),
  );
}

async function signal(
  temporal: Temporal,
  workflowId: string,
  { name, argument }: { name: string; argument: unknown },
): Promise<void> {
  await temporal.call((client) => client.workflow.getHandle(workflowId).signal(name, argument));
}
