/** Tries again what failed at one webhook, whenever something is due, until nothing waits any more. */
import { condition, continueAsNew, defineSignal, proxyActivities, setHandler } from "@temporalio/workflow";
import type { WebhookRetriesInput } from "@forgeline/schemas/webhooks/workflow.ts";
import type { WebhookActivities } from "../activities/webhooks.ts";
import { webhookActivity } from "./profiles.ts";

const wake = defineSignal("wake");
const maxRounds = 200;

export async function webhookRetries(input: WebhookRetriesInput): Promise<void> {
  const { retryWebhook } = proxyActivities<WebhookActivities>({ ...webhookActivity, taskQueue: input.queue });
  let woken = false;
  setHandler(wake, () => {
    woken = true;
  });
  for (let round = 0; round < maxRounds; round += 1) {
    woken = false;
    const { dueInMs } = await retryWebhook({ webhookId: input.webhookId });
    if (dueInMs === null) {
      if (!woken) return;
    } else if (dueInMs > 0) {
      await condition(() => woken, dueInMs);
    }
  }
  await continueAsNew<typeof webhookRetries>(input);
}
