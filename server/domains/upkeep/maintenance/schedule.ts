/**
 * The Temporal schedule that starts rounds of maintenance. Every worker updates it at its start; the last one's interval
 * counts.
 */
import { maintenanceScheduleId, maintenanceWorkflowName } from "@forgeline/schemas/maintenance/workflow.ts";
import { createTemporalSchedules } from "../../../platform/temporal-schedules.ts";
import type { Temporal } from "../../../platform/temporal.ts";

export interface MaintenanceSchedule {
  /** Creates or updates it; an interval of 0 removes it. Throws if Temporal does not answer. */
  keep(): Promise<void>;
  /**
   * Starts a round now, or as soon as the current one has ended. Throws if Temporal does not answer, or there is no schedule.
   */
  beginRound(): Promise<void>;
}

const minuteMs = 60_000;

export function createMaintenanceSchedule(
  temporal: Temporal,
  { taskQueue, everyMinutes }: { taskQueue: string; everyMinutes: number },
): MaintenanceSchedule {
  const schedules = createTemporalSchedules(temporal);
  const scheduleId = maintenanceScheduleId(taskQueue);
  const everyMs = everyMinutes * minuteMs;
  return {
    keep: () =>
      everyMs === 0
        ? schedules.remove(scheduleId)
        : schedules.keep({
            scheduleId,
            times: { everyMs },
            workflowType: maintenanceWorkflowName,
            taskQueue,
            args: [],
          }),
    beginRound: () => schedules.trigger(scheduleId),
  };
}
