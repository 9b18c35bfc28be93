/** Tells the workflow of a webhook that something failed, through the outbox. */
import {
  webhookRetriesSignal,
  webhookRetriesWorkflowId,
  webhookRetriesWorkflowName,
  type WebhookRetriesInput,
} from "@forgeline/schemas/webhooks/workflow.ts";
import { followerTaskQueue } from "@forgeline/schemas/events/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent, type OutboxHandler } from "../../../platform/outbox/outbox.ts";
import type { Temporal } from "../../../platform/temporal.ts";

/** Prefix of the keys of these intents. */
export const retryKey = "webhook";

export async function addRetryIntent(tx: Transaction, webhookId: string): Promise<void> {
  await addIntent(tx, {
    kind: "webhook_retries",
    key: `${retryKey}:${webhookId}`,
    group: webhookId,
    payload: { webhookId },
  });
}

/** However many there are for one webhook, one call starts its workflow or wakes it. */
export function createRetryHandler(deps: { temporal: Temporal; taskQueue: string }): OutboxHandler {
  return (items) => {
    const webhookId = items[0]?.key.slice(retryKey.length + 1) ?? "";
    const call = () => wakeRetries(deps, webhookId);
    return [{ kind: "webhook_retries", items: [...items], call }];
  };
}

/** Throws if Temporal does not answer. */
export async function wakeRetries(
  { temporal, taskQueue }: { temporal: Temporal; taskQueue: string },
  webhookId: string,
): Promise<void> {
  const input: WebhookRetriesInput = { webhookId, queue: followerTaskQueue(taskQueue) };
  await temporal.call((client) =>
    client.workflow.signalWithStart(webhookRetriesWorkflowName, {
      taskQueue,
      workflowId: webhookRetriesWorkflowId(webhookId),
      signal: webhookRetriesSignal,
      signalArgs: [],
      args: [input],
    }),
  );
}
