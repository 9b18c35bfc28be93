/**
 * The Temporal schedule that starts rounds of maintenance. Every worker updates it at its start; the last one's interval
 * counts.
 */
import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from "@temporalio/client";
import { maintenanceScheduleId, maintenanceWorkflowName } from "@forgeline/schemas/maintenance/workflow.ts";
import type { Temporal } from "../../../platform/temporal.ts";

export interface MaintenanceSchedule {
  /** Creates or updates it; an interval of 0 removes it. Throws if Temporal does not answer. */
  keep(): Promise<void>;
  /**
   * Starts a round now, or as soon as the current one has ended. Throws if Temporal does not answer, or there is no schedule.
   */
  beginRound(): Promise<void>;
}

export function createMaintenanceSchedule(
  temporal: Temporal,
  { taskQueue, everyMinutes }: { taskQueue: string; everyMinutes: number },
): MaintenanceSchedule {
  const scheduleId = maintenanceScheduleId(taskQueue);
  const spec = { intervals: [{ every: `${everyMinutes} minutes` as const }] };
  const action = {
    type: "startWorkflow" as const,
    workflowType: maintenanceWorkflowName,
    workflowId: scheduleId,
    taskQueue,
    args: [],
  };
  const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: "1 minute" as const };

  async function remove(): Promise<void> {
    try {
      await temporal.call((client) => client.schedule.getHandle(scheduleId).delete());
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    }
  }

  async function create(): Promise<void> {
    try {
      await temporal.call((client) => client.schedule.create({ scheduleId, spec, action, policies }));
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await temporal.call((client) =>
        client.schedule.getHandle(scheduleId).update(({ state }) => ({ spec, action, policies, state })),
      );
    }
  }

  return {
    keep: () => (everyMinutes === 0 ? remove() : create()),
    // A round that is about to end may have made its last check before this request.
    beginRound: () =>
      temporal.call((client) =>
        client.schedule.getHandle(scheduleId).trigger(ScheduleOverlapPolicy.BUFFER_ONE),
      ),
  };
}
