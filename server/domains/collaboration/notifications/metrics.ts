/** What the telling of people counts. */
import type { NotificationReason } from "@forgeline/schemas/notifications/resource.ts";
import { createCounter, createGauge } from "../../../platform/declared-metrics.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { measure } from "./telling.store.ts";

export interface NotificationMetrics {
  told(reason: NotificationReason): void;
}

export function createNotificationMetrics(registry: Metrics, db: Database): NotificationMetrics {
  const told = createCounter(registry, "forgeline_notifications_total");
  createGauge(registry, "forgeline_notification_events_waiting", async (gauge) =>
    gauge.set((await measure(db)).waiting),
  );
  createGauge(registry, "forgeline_notification_oldest_seconds", async (gauge) =>
    gauge.set((await measure(db)).seconds),
  );
  return { told: (reason) => told.inc({ reason }) };
}
