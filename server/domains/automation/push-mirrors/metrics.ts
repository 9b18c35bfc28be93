/** What push mirrors count. */
import { createCounter, createGauge, createHistogram } from "../../../platform/declared-metrics.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { MirrorMetrics } from "../mirrors/metrics.ts";
import { countMirrors } from "./push-mirrors.store.ts";

export function createPushMirrorMetrics(registry: Metrics, db: Database): MirrorMetrics {
  const syncs = createCounter(registry, "forgeline_push_mirror_syncs_total");
  const seconds = createHistogram(registry, "forgeline_push_mirror_sync_seconds");
  const sent = createCounter(registry, "forgeline_push_mirror_sent_bytes_total");
  createGauge(registry, "forgeline_push_mirrors", async (gauge) => {
    for (const [state, count] of Object.entries(await countMirrors(db))) gauge.set({ state }, count);
  });
  return {
    ended({ outcome, seconds: took, bytes }) {
      syncs.inc({ outcome });
      seconds.observe(took);
      sent.inc(bytes);
    },
  };
}
