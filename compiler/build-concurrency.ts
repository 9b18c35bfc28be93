/** `concurrency` in the plan: the short form written out, defaults filled in. */
import type { FileConcurrency } from "@forgeline/schemas/pipeline-file/file-concurrency.ts";
import type { PlanConcurrency } from "@forgeline/schemas/pipeline-file/plan.ts";

/** Whoever cancels the holder has no use for those that wait before it either. */
export function planConcurrency(written: FileConcurrency | undefined): PlanConcurrency | null {
  if (written === undefined) return null;
  const given = typeof written === "string" ? { group: written } : written;
  const cancelRunning = given.cancel_running ?? false;
  return {
    group: given.group,
    limit: given.limit ?? 1,
    order: given.order ?? "created",
    waiting: given.waiting ?? (cancelRunning ? "newest" : "all"),
    cancelRunning,
    scope: given.scope ?? "repo",
  };
}
