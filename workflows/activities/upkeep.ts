/** Activities of upkeep. Each may run twice. */
import { RunUpkeepTask } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import type { UpkeepSchedules } from "@forgeline/server/domains/upkeep/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type UpkeepActivities = ReturnType<typeof createUpkeepActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 5_000;

export function createUpkeepActivities(schedules: Pick<UpkeepSchedules, "runTask">) {
  return {
    runUpkeepTask: activity(RunUpkeepTask, ({ task }) =>
      whileBeating({ everyMs: heartbeatMs }, (signal) => schedules.runTask(task, signal)),
    ),
  };
}
