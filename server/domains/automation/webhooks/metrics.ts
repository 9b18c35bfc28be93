/** What the delivery of webhooks counts. */
import type { Metrics } from "../../../platform/metrics.ts";
import { createCounter, createGauge, createHistogram } from "../../../platform/declared-metrics.ts";
import type { Database } from "../../../platform/db/database.ts";
import { countBehind } from "../../../platform/events/events.store.ts";
import type { Attempt } from "./attempt.ts";
import { countDeliveries } from "./deliveries.store.ts";

export interface WebhookMetrics {
  attempted(attempt: Attempt): void;
}

export function createWebhookMetrics(registry: Metrics, db: Database): WebhookMetrics {
  const attempts = createCounter(registry, "forgeline_webhook_attempts_total");
  const seconds = createHistogram(registry, "forgeline_webhook_attempt_seconds");
  createGauge(registry, "forgeline_webhook_deliveries", async (gauge) => {
    const { pending, retrying } = await countDeliveries(db);
    gauge.set({ state: "pending" }, pending);
    gauge.set({ state: "retrying" }, retrying);
  });
  createGauge(registry, "forgeline_event_follower_lag", async (gauge) => {
    for (const { name, behind } of await countBehind(db)) gauge.set({ follower: name }, behind);
  });
  createGauge(registry, "forgeline_event_follower_lag_seconds", async (gauge) => {
    for (const { name, seconds: age } of await countBehind(db)) gauge.set({ follower: name }, age);
  });
  return {
    attempted({ accepted, durationMs }) {
      attempts.inc({ outcome: accepted ? "accepted" : "failed" });
      seconds.observe(durationMs / 1000);
    },
  };
}
