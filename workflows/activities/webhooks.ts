/** Activities of webhooks. Each may run twice. */
import { RetryWebhook } from "@forgeline/schemas/webhooks/workflow.ts";
import type { WebhookRetries } from "@forgeline/server/domains/automation/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 3_000;

export function createWebhookActivities(retries: WebhookRetries) {
  return {
    retryWebhook: activity(RetryWebhook, ({ webhookId }) =>
      whileBeating({ everyMs: heartbeatMs }, () => retries.retry(webhookId)),
    ),
  };
}
