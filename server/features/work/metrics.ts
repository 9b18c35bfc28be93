/** Background work for Prometheus. */
import { setTimeout as sleep } from "node:timers/promises";
import type { WorkKind } from "@forgeline/schemas/work/resource.ts";
import { Counter, Gauge, type Metrics } from "../../platform/metrics.ts";
import type { Executions } from "./executions.ts";

export interface WorkMetrics {
  done(action: "cancel" | "end" | "retry", kind: WorkKind): void;
}

/** While Temporal is away, who asks for all metrics does not wait for these. */
const patienceMs = 2_000;

export function createWorkMetrics(registry: Metrics, executions: Executions): WorkMetrics {
  new Gauge({
    name: "forgeline_work",
    help: "Background work that Temporal knows: what runs, and what ended within its retention",
    labelNames: ["kind", "state"],
    registers: [registry],
    async collect() {
      const counts = await withinPatience(executions.counts()).catch(() => []);
      this.reset();
      for (const { kind, state, count } of counts) this.set({ kind, state }, count);
    },
  });
  const actions = new Counter({
    name: "forgeline_work_actions_total",
    help: "What administrators did about background work",
    labelNames: ["action", "kind"] as const,
    registers: [registry],
  });
  return { done: (action, kind) => actions.inc({ action, kind }) };
}

async function withinPatience<T>(answer: Promise<T[]>): Promise<T[]> {
  const late = new AbortController();
  try {
    return await Promise.race([answer, sleep(patienceMs, [], { signal: late.signal })]);
  } finally {
    late.abort();
  }
}
