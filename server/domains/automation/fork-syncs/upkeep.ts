/** What the instance does for syncs of forks from time to time. */
import type { Database } from "../../../platform/db/database.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import type { MirrorSchedules } from "../mirrors/sync-schedules.ts";
import { deleteOldSyncs } from "./fork-syncs.store.ts";

const hourMs = 60 * 60 * 1000;

export function createForkUpkeep(deps: { db: Database; schedules: MirrorSchedules }): {
  upkeepTasks: UpkeepTask[];
} {
  return {
    upkeepTasks: [
      { name: "check_fork_schedules", everyMs: 6 * hourMs, run: deps.schedules.applyAll },
      { name: "remove_old_fork_syncs", everyMs: hourMs, run: () => deleteOldSyncs(deps.db) },
    ],
  };
}
