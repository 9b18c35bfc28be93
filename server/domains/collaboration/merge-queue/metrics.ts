/** What merge queues count. */
import { createCounter, createGauge, createHistogram } from "../../../platform/declared-metrics.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { countWaiting } from "./entries.store.ts";

export interface MergeQueueMetrics {
  /** Of a batch: `landed`, `failed`, or `given_up` since something has changed. */
  ended(result: "landed" | "failed" | "given_up"): void;
  /** From being added until it had landed. */
  waited(seconds: number): void;
}

export function createMergeQueueMetrics(registry: Metrics, db: Database): MergeQueueMetrics {
  const batches = createCounter(registry, "forgeline_merge_queue_batches_total");
  const waits = createHistogram(registry, "forgeline_merge_queue_wait_seconds");
  createGauge(registry, "forgeline_merge_queue_entries", async (gauge) => gauge.set(await countWaiting(db)));
  return { ended: (result) => batches.inc({ result }), waited: (seconds) => waits.observe(seconds) };
}
