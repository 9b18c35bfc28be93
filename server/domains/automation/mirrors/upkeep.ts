/** What the instance does for mirrors from time to time. */
import type { Database } from "../../../platform/db/database.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import type { KeptObjects } from "./kept-objects.ts";
import type { MirrorSchedules } from "./sync-schedules.ts";
import { deleteOldSyncs } from "./syncs.store.ts";

const hourMs = 60 * 60 * 1000;

export function createMirrorUpkeep(deps: { db: Database; kept: KeptObjects; schedules: MirrorSchedules }): {
  upkeepTasks: UpkeepTask[];
} {
  return {
    upkeepTasks: [
      { name: "check_mirrors", everyMs: 6 * hourMs, run: deps.schedules.applyAll },
      {
        name: "remove_old_syncs",
        everyMs: hourMs,
        async run(signal) {
          await deleteOldSyncs(deps.db);
          await deps.kept.removeExpired(signal);
        },
      },
    ],
  };
}
