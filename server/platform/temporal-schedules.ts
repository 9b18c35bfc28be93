/** Schedules in Temporal, which start one workflow each at a fixed interval, never two at a time. */
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleDescription,
} from "@temporalio/client";
import type { Temporal } from "./temporal.ts";

export interface IntervalSchedule {
  scheduleId: string;
  everyMs: number;
  workflowType: string;
  taskQueue: string;
  args: unknown[];
}

export interface TemporalSchedules {
  /** Creates or updates it, and leaves it paused if it is. Throws if Temporal does not answer; so do the following. */
  keep(schedule: IntervalSchedule): Promise<void>;
  /** Does nothing where there is none. */
  remove(scheduleId: string): Promise<void>;
  /** Undefined where there is none. */
  describe(scheduleId: string): Promise<ScheduleDescription | undefined>;
  /** Runs it now, or as soon as the current run has ended. Throws `ScheduleNotFoundError`; so does `setPaused`. */
  trigger(scheduleId: string): Promise<void>;
  setPaused(scheduleId: string, paused: boolean, note: string): Promise<void>;
}

export function createTemporalSchedules(temporal: Temporal): TemporalSchedules {
  return {
    async keep({ scheduleId, everyMs, workflowType, taskQueue, args }) {
      const spec = { intervals: [{ every: everyMs }] };
      const action = {
        type: "startWorkflow" as const,
        workflowType,
        workflowId: scheduleId,
        taskQueue,
        args,
      };
      const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: "1 minute" as const };
      try {
        await temporal.call((client) => client.schedule.create({ scheduleId, spec, action, policies }));
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        await temporal.call((client) =>
          client.schedule.getHandle(scheduleId).update(({ state }) => ({ spec, action, policies, state })),
        );
      }
    },
    async remove(scheduleId) {
      try {
        await temporal.call((client) => client.schedule.getHandle(scheduleId).delete());
      } catch (error) {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
      }
    },
    async describe(scheduleId) {
      try {
        return await temporal.call((client) => client.schedule.getHandle(scheduleId).describe());
      } catch (error) {
        if (error instanceof ScheduleNotFoundError) return undefined;
        throw error;
      }
    },
    // A run that is about to end may have made its last check before this request.
    trigger: (scheduleId) =>
      temporal.call((client) =>
        client.schedule.getHandle(scheduleId).trigger(ScheduleOverlapPolicy.BUFFER_ONE),
      ),
    setPaused: (scheduleId, paused, note) =>
      temporal.call((client) => {
        const handle = client.schedule.getHandle(scheduleId);
        return paused ? handle.pause(note) : handle.unpause(note);
      }),
  };
}
