/** State of the Temporal worker for Prometheus. */
import type { Registry } from "prom-client";
import { createGauge } from "@forgeline/server/platform/declared-metrics.ts";
import type { WorkerStatus } from "@temporalio/worker";

const counted = [
  "numInFlightWorkflowActivations",
  "numInFlightLocalActivities",
  "numCachedWorkflows",
] as const satisfies readonly (keyof WorkerStatus)[];

/** `status`: of the worker that runs now; undefined while there is none, because Temporal is away. */
export function observeWorker(registry: Registry, status: () => WorkerStatus | undefined): void {
  createGauge(registry, "forgeline_worker_up", (gauge) => {
    gauge.set(status()?.runState === "RUNNING" ? 1 : 0);
  });
  createGauge(registry, "forgeline_worker_items", (gauge) => {
    const now = status();
    for (const kind of counted) gauge.set({ kind }, Number(now?.[kind] ?? 0));
  });
}
