/** Tells the workflow of a webhook that something failed, through the outbox. */
import {
  webhookRetriesSignal,
  webhookRetriesWorkflowId,
  webhookRetriesWorkflowName,
  type WebhookRetriesInput,
} from "@forgeline/schemas/webhooks/workflow.ts";
import { followerTaskQueue } from "@forgeline/schemas/events/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent } from "../../../platform/outbox/outbox.ts";
import type { Temporal } from "../../../platform/temporal.ts";

/** Prefix of the keys of these intents. */
export const retryKey = "webhook";
export const retryKind = "webhook_retries";

export async function addRetryIntent(tx: Transaction, webhookId: string): Promise<void> {
  await addIntent(tx, {
    kind: retryKind,
    key: `${retryKey}:${webhookId}`,
    group: webhookId,
    payload: { webhookId },
  });
}

/** Starts the workflow, or wakes it. Throws if Temporal does not answer. */
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
