/** Prometheus figures of log bytes that were made durable by this process. */
import type { Registry } from "prom-client";
import { createCounter } from "../../../platform/declared-metrics.ts";

export interface LogMetrics {
  stored(bytes: { raw: number; stored: number }): void;
}

export function createLogMetrics(registry: Registry): LogMetrics {
  const bytes = createCounter(registry, "forgeline_log_bytes_total");
  bytes.inc({ form: "raw" }, 0);
  bytes.inc({ form: "stored" }, 0);
  return {
    stored({ raw, stored }) {
      bytes.inc({ form: "raw" }, raw);
      bytes.inc({ form: "stored" }, stored);
    },
  };
}
