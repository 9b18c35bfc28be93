/** State of the Temporal worker for Prometheus. */
import { Gauge, type Registry } from "prom-client";
import type { WorkerStatus } from "@temporalio/worker";

const counted = [
  "numInFlightWorkflowActivations",
  "numInFlightLocalActivities",
  "numCachedWorkflows",
] as const satisfies readonly (keyof WorkerStatus)[];

/** `status`: of the worker that runs now; undefined while there is none, because Temporal is away. */
export function observeWorker(registry: Registry, status: () => WorkerStatus | undefined): void {
  new Gauge({
    name: "forgeline_worker_up",
    help: "1 while the workflow worker polls Temporal",
    registers: [registry],
    collect() {
      this.set(status()?.runState === "RUNNING" ? 1 : 0);
    },
  });
  new Gauge({
    name: "forgeline_worker_items",
    help: "What the workflow worker holds: activations and local activities under way, workflows kept in memory",
    labelNames: ["kind"],
    registers: [registry],
    collect() {
      const now = status();
      for (const kind of counted) this.set({ kind }, Number(now?.[kind] ?? 0));
    },
  });
}
