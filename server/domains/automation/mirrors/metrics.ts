/** What mirrors count. */
import { createCounter, createGauge, createHistogram } from "../../../platform/declared-metrics.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { countMirrors } from "./mirrors.store.ts";

export interface MirrorMetrics {
  ended(sync: { outcome: "changed" | "unchanged" | "failed"; seconds: number; bytes: number }): void;
}

export function createMirrorMetrics(registry: Metrics, db: Database): MirrorMetrics {
  const syncs = createCounter(registry, "forgeline_mirror_syncs_total");
  const seconds = createHistogram(registry, "forgeline_mirror_sync_seconds");
  const received = createCounter(registry, "forgeline_mirror_received_bytes_total");
  createGauge(registry, "forgeline_mirrors", async (gauge) => {
    for (const [state, count] of Object.entries(await countMirrors(db))) gauge.set({ state }, count);
  });
  return {
    ended({ outcome, seconds: took, bytes }) {
      syncs.inc({ outcome });
      seconds.observe(took);
      received.inc(bytes);
    },
  };
}
