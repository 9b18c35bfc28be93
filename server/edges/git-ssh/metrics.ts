/** What the SSH server counts. */
import { Counter, Gauge, Histogram, type Metrics } from "../../platform/metrics.ts";

export interface SshMetrics {
  /** Connections by what became of them. */
  connections: Counter<"result">;
  /** What had to wait because there was too much of it. */
  held: Counter<"what">;
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
      help: "SSH connections by what became of them: logged_in, not_logged_in, turned_away, flooded.",
      labelNames: ["result"],
      registers: [registry],
    }),
    held: new Counter({
      name: "forgeline_ssh_held_back_total",
      help: "How often SSH clients had to wait: connection (before its handshake), packets (of one that is open).",
      labelNames: ["what"],
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
