/** Hands the items of one key over, in order. */
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from "@temporalio/client";
import type { Logger } from "../logger.ts";
import type { Handover, OutboxHandler, OutboxItem } from "./outbox.ts";

export interface Delivery {
  done: OutboxItem[];
  failed: { item: OutboxItem; error: Error } | null;
}

export interface DeliverDeps {
  logger: Logger;
  /** By what stands before the colon of a key. */
  handlers: ReadonlyMap<string, OutboxHandler>;
}

/** Stops at the first item that fails; those after it wait their turn. */
export async function deliver(deps: DeliverDeps, items: readonly OutboxItem[]): Promise<Delivery> {
  const done: OutboxItem[] = [];
  for (const handover of handoversOf(deps.handlers, items)) {
    try {
      await handover.call();
    } catch (error) {
      const [item] = handover.items;
      if (!item) continue;
      if (!alreadyDone(deps.logger, handover, error))
        return { done, failed: { item, error: error as Error } };
    }
    done.push(...handover.items);
  }
  return { done, failed: null };
}

function handoversOf(handlers: DeliverDeps["handlers"], items: readonly OutboxItem[]): Handover[] {
  const [name = ""] = items[0]?.key.split(":", 1) ?? [];
  const handler = handlers.get(name) ?? refuse(`nothing here handles ${name}`);
  return handler(items);
}

function refuse(problem: string): OutboxHandler {
  const call = () => Promise.reject(new Error(problem));
  return (items) => items.map((item) => ({ kind: "unknown", items: [item], call }));
}

function alreadyDone(logger: Logger, { kind, items }: Handover, error: unknown): boolean {
  if (error instanceof WorkflowExecutionAlreadyStartedError) return true;
  if (!(error instanceof WorkflowNotFoundError)) return false;
  logger.info({ key: items[0]?.key, kind }, "signal dropped: its workflow has ended");
  return true;
}
