/** What the instance does for schedules of pipelines from time to time. */
import type { Database } from "../../../platform/db/database.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { deleteOldRuns } from "./schedule-runs.store.ts";

export function createScheduleUpkeep(db: Database): { upkeepTasks: UpkeepTask[] } {
  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await deleteOldRuns(db)) > 0);
  }
  return { upkeepTasks: [{ name: "remove_old_schedule_runs", everyMs: 60 * 60 * 1000, run }] };
}
