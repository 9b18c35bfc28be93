/** Metrics of the SSH server. */
import type { Counter, Histogram } from "prom-client";
import type { Metrics } from "../../platform/metrics.ts";
import { createCounter, createGauge, createHistogram } from "../../platform/declared-metrics.ts";

export interface SshMetrics {
  /** Connections by their result. */
  connections: Counter<"result">;
  /** Connections and packets that had to wait. */
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
