/** Background work for Prometheus. */
import type { WorkKind } from "@forgeline/schemas/background-work/resource.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createCounter, createGauge } from "../../../platform/declared-metrics.ts";
import type { Executions } from "./executions.ts";

export interface WorkMetrics {
  done(action: "cancel" | "end" | "retry", kind: WorkKind): void;
}

export function createWorkMetrics(registry: Metrics, executions: Executions): WorkMetrics {
  const counts = lastCounts(executions);
  createGauge(registry, "forgeline_work", (gauge) => {
    gauge.reset();
    for (const { kind, state, count } of counts()) gauge.set({ kind, state }, count);
  });
  const actions = createCounter(registry, "forgeline_work_actions_total");
  return { done: (action, kind) => actions.inc({ action, kind }) };
}

type Counts = Awaited<ReturnType<Executions["counts"]>>;

/** The figures of the previous request, which also starts a new query, so that reading metrics never waits for Temporal. */
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
