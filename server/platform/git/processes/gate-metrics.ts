/** Metrics of one kind of slots for Git's work. */
import { Counter, Gauge, Histogram, type Metrics } from "../../metrics.ts";
import type { GateKind } from "./exchange-gate.ts";

export function createGateMetrics(
  registry: Metrics,
  { names, what }: GateKind,
  counts: () => { running: number; waiting: number },
) {
  new Gauge({
    name: `forgeline_git_${names.many}`,
    help: `${what}: running, and waiting for a slot.`,
    labelNames: ["state"],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(counts())) this.set({ state }, count);
    },
  });
  return {
    refused: new Counter({
      name: `forgeline_git_${names.many}_refused_total`,
      help: `${what} that got no slot, by what was full: server, repository, user, account, strangers, queue.`,
      labelNames: ["full"],
      registers: [registry],
    }),
    ended: new Counter({
      name: `forgeline_git_${names.many}_ended_as_slow_total`,
      help: `${what} that were ended for others who waited, since their client sent and took next to nothing.`,
      registers: [registry],
    }),
    waited: new Histogram({
      name: `forgeline_git_${names.one}_wait_seconds`,
      help: `How long they waited for a slot: ${what}.`,
      buckets: [0, 0.1, 0.5, 1, 5, 10, 30, 60],
      registers: [registry],
    }),
  };
}
