/** What streams of audit logs count. */
import { createCounter, createGauge } from "../../../platform/declared-metrics.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { countStreams, measureLag } from "./sending.store.ts";
import type { ShownTarget } from "./target-settings.ts";

export interface AuditStreamMetrics {
  accepted(target: ShownTarget["kind"], entries: number): void;
  failed(target: ShownTarget["kind"]): void;
}

export function createAuditStreamMetrics(registry: Metrics, db: Database): AuditStreamMetrics {
  const batches = createCounter(registry, "forgeline_audit_stream_batches_total");
  const entries = createCounter(registry, "forgeline_audit_stream_entries_total");
  createGauge(registry, "forgeline_audit_streams", async (gauge) => {
    for (const [state, count] of Object.entries(await countStreams(db))) gauge.set({ state }, count);
  });
  createGauge(registry, "forgeline_audit_stream_lag_entries", async (gauge) =>
    gauge.set((await measureLag(db)).entries),
  );
  createGauge(registry, "forgeline_audit_stream_lag_seconds", async (gauge) =>
    gauge.set((await measureLag(db)).seconds),
  );
  return {
    accepted(target, count) {
      batches.inc({ target, outcome: "accepted" });
      entries.inc({ target }, count);
    },
    failed: (target) => batches.inc({ target, outcome: "failed" }),
  };
}
