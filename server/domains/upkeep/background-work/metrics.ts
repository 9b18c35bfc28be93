/** Background work for Prometheus. */
import type { WorkKind } from "@forgeline/schemas/background-work/resource.ts";
import { Counter, Gauge, type Metrics } from "../../../platform/metrics.ts";
import type { Executions } from "./executions.ts";

export interface WorkMetrics {
  done(action: "cancel" | "end" | "retry", kind: WorkKind): void;
}

export function createWorkMetrics(registry: Metrics, executions: Executions): WorkMetrics {
  const counts = lastCounts(executions);
  new Gauge({
    name: "forgeline_work",
    help: "Background work that Temporal knows: what runs, and what ended within its retention",
    labelNames: ["kind", "state"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { kind, state, count } of counts()) this.set({ kind, state }, count);
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

type Counts = Awaited<ReturnType<Executions["counts"]>>;

/** As they were when they were last asked for, which asks anew: nobody who wants all metrics waits for Temporal. */
function lastCounts(executions: Executions): () => Counts {
  let known: Counts = [];
  let asking = false;
  const ask = async () => {
    asking = true;
    known = await executions.counts().catch(() => []);
    asking = false;
  };
  return () => {
    if (!asking) void ask();
    return known;
  };
}
