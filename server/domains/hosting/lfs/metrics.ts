/** Metrics of LFS. Bytes that clients transfer directly to or from the object store are not included. */
import type { Metrics } from "../../../platform/metrics.ts";
import { createCounter, createGauge } from "../../../platform/declared-metrics.ts";

export type LfsMetrics = ReturnType<typeof createLfsMetrics>;

export function createLfsMetrics(registry: Metrics) {
  return {
    objects: createCounter(registry, "forgeline_lfs_objects_total"),
    bytes: createCounter(registry, "forgeline_lfs_bytes_total"),
    uploads: createGauge(registry, "forgeline_lfs_uploads"),
    uploadsRefused: createCounter(registry, "forgeline_lfs_uploads_refused_total"),
  };
}
