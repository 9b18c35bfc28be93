/** Prometheus figures of log bytes that were made durable by this process. */
import { Counter, type Registry } from "prom-client";

export interface LogMetrics {
  stored(bytes: { raw: number; stored: number }): void;
}

export function createLogMetrics(registry: Registry): LogMetrics {
  const bytes = new Counter({
    name: "forgeline_log_bytes_total",
    help: "Log bytes that this process made durable: `raw` as steps printed them, `stored` as they take room.",
    labelNames: ["form"],
    registers: [registry],
  });
  bytes.inc({ form: "raw" }, 0);
  bytes.inc({ form: "stored" }, 0);
  return {
    stored({ raw, stored }) {
      bytes.inc({ form: "raw" }, raw);
      bytes.inc({ form: "stored" }, stored);
    },
  };
}
