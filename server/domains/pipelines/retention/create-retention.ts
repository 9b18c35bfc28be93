/** Wires for retention: its rules, and the task that removes runs and logs whose time is over. */
import type { RetentionDays } from "@forgeline/schemas/retention/resource.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { createOldRuns, type OldRunsDeps } from "../runs/old-runs.ts";
import { listRuled } from "./retention.store.ts";
import { createRetentionService } from "./service.ts";

const everyMs = 60 * 60 * 1000;

export interface RetentionDeps extends OldRunsDeps {
  metrics: Metrics;
  /** What the configuration says. */
  instance: RetentionDays;
}

export function createRetention({ instance, ...deps }: RetentionDeps) {
  const { db } = deps;
  const oldRuns = createOldRuns(deps);
  const removed = createCounter(deps.metrics, "forgeline_old_runs_removed_total");

  /** May run in many processes, and again after a crash. */
  async function sweep(signal?: AbortSignal): Promise<void> {
    for (let after = ""; !signal?.aborted;) {
      const ruled = await listRuled(db, instance, after);
      for (const { id, runs_days: runs, logs_days: logs } of ruled) {
        if (logs !== null) removed.inc({ what: "logs" }, await oldRuns.removeLogs(id, logs, signal));
        if (runs !== null) removed.inc({ what: "run" }, await oldRuns.removeRuns(id, runs, signal));
      }
      const last = ruled.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  const upkeepTasks: UpkeepTask[] = [{ name: "remove_old_runs", everyMs, run: (signal) => sweep(signal) }];
  return {
    retention: createRetentionService({ db, instance }),
    retentionUpkeep: { sweep, upkeepTasks },
  };
}
