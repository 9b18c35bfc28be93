/** What the SSH door counts. */
import { Counter, Gauge, Histogram, type Metrics } from "../../platform/metrics.ts";

export interface SshMetrics {
  /** Connections that were taken, turned away, and ended without a login. */
  connections: Counter<"result">;
  commands: Histogram<"program" | "result">;
}

export function createSshMetrics(registry: Metrics, open: () => number): SshMetrics {
  new Gauge({
    name: "forgeline_ssh_connections",
    help: "SSH connections of this process that are open.",
    registers: [registry],
    collect() {
      this.set(open());
    },
  });
  return {
    connections: new Counter({
      name: "forgeline_ssh_connections_total",
      help: "SSH connections by what became of them: logged_in, not_logged_in, turned_away.",
      labelNames: ["result"],
      registers: [registry],
    }),
    commands: new Histogram({
      name: "forgeline_ssh_command_seconds",
      help: "Time from a command to its end, by Git program and by result: ok, failed, refused.",
      labelNames: ["program", "result"],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600],
      registers: [registry],
    }),
  };
}
