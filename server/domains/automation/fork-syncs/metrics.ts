/** What syncs of forks count. */
import { createCounter, createGauge } from "../../../platform/declared-metrics.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { countSchedules } from "./fork-schedules.store.ts";

export interface ForkSyncMetrics {
  ended(outcome: "up_to_date" | "fast_forwarded" | "merged" | "conflict" | "failed"): void;
}

export function createForkSyncMetrics(registry: Metrics, db: Database): ForkSyncMetrics {
  const syncs = createCounter(registry, "forgeline_fork_syncs_total");
  createGauge(registry, "forgeline_fork_schedules", async (gauge) => {
    for (const [state, count] of Object.entries(await countSchedules(db))) gauge.set({ state }, count);
  });
  return { ended: (outcome) => syncs.inc({ outcome }) };
}
