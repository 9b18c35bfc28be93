/** Tries again what failed at one webhook: called by its workflow whenever something is due. */
import type { RetryWebhookResult } from "@forgeline/schemas/webhooks/workflow.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import { attemptDelivery, type Attempt } from "./attempt.ts";
import { maxAtOnce, type Endpoint } from "./endpoints.ts";
import type { LanesDeps } from "./lanes.ts";
import { wakeRetries } from "./retry-intents.ts";
import {
  expire,
  giveUp,
  nextDue,
  openGate,
  takeDue,
  takeOldest,
  type WaitingDelivery,
} from "./sending.store.ts";

export interface WebhookRetries {
  /** Sends what is due, for about half a minute; then says when to call again. Safe to call twice. */
  retry(webhookId: string): Promise<RetryWebhookResult>;
  /** Starts the workflow, or wakes it. Throws if Temporal does not answer. */
  wake(webhookId: string): Promise<void>;
  /** An administrator ended it: all that waits is given up. */
  giveUp(webhookId: string): Promise<void>;
}

const budgetMs = 30_000;

export function createWebhookRetries(
  deps: LanesDeps & { db: Database; temporal: Temporal; taskQueue: string },
): WebhookRetries {
  const { db } = deps;

  async function send(endpoint: Endpoint, delivery: WaitingDelivery): Promise<Attempt> {
    const attempt = await attemptDelivery({ ...deps, endpoint }, await deps.complete(delivery));
    await deps.recorder.record(attempt);
    return attempt;
  }

  /** Lanes may send again. */
  async function open(webhookId: string): Promise<void> {
    await db.transaction(async (tx) => {
      if (await openGate(tx, webhookId)) await tx.notify("webhook", webhookId);
    });
  }

  /** Milliseconds until there is more to do: 0 at once, null never. */
  async function step(endpoint: Endpoint): Promise<number | null> {
    const { id, gatedMs } = endpoint;
    if (endpoint.room <= 0) return endpoint.windowMs;
    if (gatedMs === null) {
      const due = await takeDue(db, id, Math.min(maxAtOnce, endpoint.room));
      await Promise.all(due.map((delivery) => send(endpoint, delivery)));
      return due.length > 0 ? 0 : nextDue(db, id);
    }
    if (gatedMs > 0) return gatedMs;
    const oldest = await takeOldest(db, id);
    const accepted = oldest === undefined || (await send(endpoint, oldest)).accepted;
    if (accepted && (oldest === undefined || !endpoint.ordered)) await open(id);
    return 0;
  }

  return {
    wake: (webhookId) => wakeRetries(deps, webhookId),
    async retry(webhookId) {
      const until = Date.now() + budgetMs;
      await expire(db, webhookId);
      for (;;) {
        const endpoint = await deps.endpoints.find(webhookId);
        if (!endpoint?.active) return { dueInMs: null };
        const dueInMs = await step(endpoint);
        if (dueInMs !== 0 || Date.now() > until)
          return { dueInMs: dueInMs === null ? null : Math.max(0, Math.ceil(dueInMs)) };
      }
    },
    async giveUp(webhookId) {
      await giveUp(db, webhookId);
    },
  };
}
