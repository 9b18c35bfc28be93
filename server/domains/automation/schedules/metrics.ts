/** What schedules count. */
import { createCounter, createGauge, createHistogram } from "../../../platform/declared-metrics.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { countSchedules } from "./schedules.store.ts";

export interface ScheduleMetrics {
  /** `lateMs`: for what was started, since its time. */
  came(outcome: "started" | "skipped" | "failed" | "turned_off", lateMs: number): void;
}

export function createScheduleMetrics(registry: Metrics, db: Database): ScheduleMetrics {
  const times = createCounter(registry, "forgeline_schedule_times_total");
  const delay = createHistogram(registry, "forgeline_schedule_delay_seconds");
  const lag = createGauge(registry, "forgeline_schedule_lag_seconds");
  createGauge(registry, "forgeline_pipeline_schedules", async (gauge) => {
    const { lag: seconds, ...states } = await countSchedules(db);
    for (const [state, count] of Object.entries(states)) gauge.set({ state }, count);
    lag.set(Math.max(0, seconds));
  });
  return {
    came(outcome, lateMs) {
      times.inc({ outcome });
      if (outcome === "started") delay.observe(lateMs / 1000);
    },
  };
}
