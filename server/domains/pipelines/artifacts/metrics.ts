/** Metrics of artifacts. Bytes that go straight between runners and the object store are not included. */
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { Metrics } from "../../../platform/metrics.ts";

export type ArtifactMetrics = ReturnType<typeof createArtifactMetrics>;

export function createArtifactMetrics(registry: Metrics) {
  return {
    stored: createCounter(registry, "forgeline_artifacts_stored_total"),
    storedBytes: createCounter(registry, "forgeline_artifacts_stored_bytes_total"),
    expired: createCounter(registry, "forgeline_artifacts_expired_total"),
    bytes: createCounter(registry, "forgeline_artifact_bytes_total"),
  };
}
