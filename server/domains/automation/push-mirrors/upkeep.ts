/** What the instance does for push mirrors from time to time. */
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import type { MirrorSchedules } from "../mirrors/sync-schedules.ts";

const everyMs = 6 * 60 * 60 * 1000;

export function createPushMirrorUpkeep(schedules: MirrorSchedules): { upkeepTasks: UpkeepTask[] } {
  return { upkeepTasks: [{ name: "check_push_mirrors", everyMs, run: schedules.applyAll }] };
}
