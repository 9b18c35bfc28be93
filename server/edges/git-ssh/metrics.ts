/** What the SSH server counts. */
import type { Counter, Histogram } from "prom-client";
import type { Metrics } from "../../platform/metrics.ts";
import { createCounter, createGauge, createHistogram } from "../../platform/declared-metrics.ts";

export interface SshMetrics {
  /** Connections by what became of them. */
  connections: Counter<"result">;
  /** What had to wait because there was too much of it. */
  held: Counter<"what">;
  commands: Histogram<"program" | "result">;
}

export function createSshMetrics(registry: Metrics, open: () => number): SshMetrics {
  createGauge(registry, "forgeline_ssh_connections", (gauge) => {
    gauge.set(open());
  });
  return {
    connections: createCounter(registry, "forgeline_ssh_connections_total"),
    held: createCounter(registry, "forgeline_ssh_held_back_total"),
    commands: createHistogram(registry, "forgeline_ssh_command_seconds"),
  };
}
