/** What the sending of traces counts. */
import { createCounter, createGauge } from "../../../platform/declared-metrics.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { measure } from "./traces.store.ts";

export interface TraceMetrics {
  /** `given_up`: it had waited for a day. */
  ended(outcome: "sent" | "refused" | "given_up"): void;
  failed(): void;
}

export function createTraceMetrics(registry: Metrics, db: Database): TraceMetrics {
  const traces = createCounter(registry, "forgeline_run_traces_total");
  const failures = createCounter(registry, "forgeline_run_trace_failures_total");
  createGauge(registry, "forgeline_run_traces_waiting", async (gauge) =>
    gauge.set((await measure(db)).waiting),
  );
  createGauge(registry, "forgeline_run_traces_oldest_seconds", async (gauge) =>
    gauge.set((await measure(db)).seconds),
  );
  return { ended: (outcome) => traces.inc({ outcome }), failed: () => failures.inc() };
}
