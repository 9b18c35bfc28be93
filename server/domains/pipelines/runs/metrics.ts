/** Prometheus figures of runs: how many are open, and how long those took that ended. */
import type { Registry } from "prom-client";
import { createCounter, createGauge, createHistogram } from "../../../platform/declared-metrics.ts";
import type { Database } from "../../../platform/db/database.ts";
import { countOpen } from "./runs.store.ts";

export interface RunMetrics {
  /** Called once per sequence; `seconds` since its first start, null if nothing of it was started. */
  ended(outcome: string, seconds: number | null): void;
}

export function createRunMetrics(registry: Registry, db: Database): RunMetrics {
  createGauge(registry, "forgeline_open_pipelines", async (gauge) => {
    const rows = await countOpen(db);
    gauge.reset();
    for (const row of rows) gauge.set({ status: row.status }, row.count);
  });
  const durations = createHistogram(registry, "forgeline_pipeline_duration_seconds");
  return {
    ended: (outcome, seconds) => durations.observe({ outcome }, seconds ?? 0),
  };
}

export interface ChildMetrics {
  /** Once for each try of a job that starts a pipeline, by its `trigger` or with its token. */
  started(way: "trigger" | "token", outcome: "started" | "refused"): void;
}

export function createChildMetrics(registry: Registry): ChildMetrics {
  const counter = createCounter(registry, "forgeline_child_pipelines_total");
  return { started: (way, outcome) => counter.inc({ outcome, way }) };
}
