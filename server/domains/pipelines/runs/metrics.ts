/** Prometheus figures of runs: how many are open, and how long those took that ended. */
import { Gauge, Histogram, type Registry } from "prom-client";
import type { Database } from "../../../platform/db/database.ts";
import { countOpen } from "./runs.store.ts";

export interface RunMetrics {
  /** Called once a sequence; `seconds` from its first start, null when nothing of it was started. */
  ended(outcome: string, seconds: number | null): void;
}

export function createRunMetrics(registry: Registry, db: Database): RunMetrics {
  new Gauge({
    name: "forgeline_open_pipelines",
    help: "Runs that have not ended, on all servers, by status.",
    labelNames: ["status"],
    registers: [registry],
    async collect() {
      const rows = await countOpen(db);
      this.reset();
      for (const row of rows) this.set({ status: row.status }, row.count);
    },
  });
  const durations = new Histogram({
    name: "forgeline_pipeline_duration_seconds",
    help: "Time from a run's first start to its end, by outcome; seen by the worker that ended it.",
    labelNames: ["outcome"],
    buckets: [0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400],
    registers: [registry],
  });
  return {
    ended: (outcome, seconds) => durations.observe({ outcome }, seconds ?? 0),
  };
}
