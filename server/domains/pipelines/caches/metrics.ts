/** Metrics of caches. Bytes that go straight between runners and the object store are not included. */
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { Metrics } from "../../../platform/metrics.ts";

export type CacheMetrics = ReturnType<typeof createCacheMetrics>;

export function createCacheMetrics(registry: Metrics) {
  return {
    lookups: createCounter(registry, "forgeline_cache_lookups_total"),
    saved: createCounter(registry, "forgeline_caches_saved_total"),
    savedBytes: createCounter(registry, "forgeline_caches_saved_bytes_total"),
    restoredBytes: createCounter(registry, "forgeline_caches_restored_bytes_total"),
    removed: createCounter(registry, "forgeline_caches_removed_total"),
    bytes: createCounter(registry, "forgeline_cache_bytes_total"),
  };
}
