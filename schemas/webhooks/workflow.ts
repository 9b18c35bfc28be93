/** The workflow that tries what failed at one webhook again. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";

export const webhookRetriesWorkflowName = "webhookRetries";
/** Wakes the workflow: something failed, or is to be tried at once. */
export const webhookRetriesSignal = "wake";

const prefix = "webhook-retries:";

export function webhookRetriesWorkflowId(webhookId: string): string {
  return `${prefix}${webhookId}`;
}

/** undefined for the id of another workflow. */
export function webhookOfWorkflow(workflowId: string): string | undefined {
  return workflowId.startsWith(prefix) ? workflowId.slice(prefix.length) : undefined;
}

export const RetryWebhook = z.strictObject({ webhookId: idOf("hook") });
export type RetryWebhook = z.infer<typeof RetryWebhook>;

/** Milliseconds until something is due; null when nothing is waiting. */
export interface RetryWebhookResult {
  dueInMs: number | null;
}

/** Of the workflow: `queue` is that of its activities. */
export interface WebhookRetriesInput {
  webhookId: string;
  queue: string;
}
