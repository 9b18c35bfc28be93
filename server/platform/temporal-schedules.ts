/** Schedules in Temporal, which start one workflow each at its times, never two at a time. */
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleDescription,
  type ScheduleSpec,
} from "@temporalio/client";
import type { Temporal } from "./temporal.ts";

/** A fixed interval, or a cron line with five fields and an IANA time zone; each time is delayed by up to `jitterMs`. */
export type ScheduleTimes = ({ everyMs: number } | { cron: string; timezone: string }) & {
  jitterMs?: number;
};

export interface WorkflowSchedule {
  scheduleId: string;
  times: ScheduleTimes;
  workflowType: string;
  taskQueue: string;
  args: unknown[];
  /** Default: as it is. */
  paused?: boolean;
}

export interface TemporalSchedules {
  /** Creates or updates it. Throws if Temporal does not answer; so do the following. */
  keep(schedule: WorkflowSchedule): Promise<void>;
  /** Does nothing where there is none. */
  remove(scheduleId: string): Promise<void>;
  /** Ids that begin with this, of all that there are. */
  list(prefix: string): Promise<string[]>;
  /** Undefined where there is none. */
  describe(scheduleId: string): Promise<ScheduleDescription | undefined>;
  /** Runs it now, or as soon as the current run has ended. Throws `ScheduleNotFoundError`; so does `setPaused`. */
  trigger(scheduleId: string): Promise<void>;
  setPaused(scheduleId: string, paused: boolean, note: string): Promise<void>;
}

export function createTemporalSchedules(temporal: Temporal): TemporalSchedules {
  return {
    async keep({ scheduleId, times, workflowType, taskQueue, args, paused }) {
      const spec = specOf(times);
      const action = {
        type: "startWorkflow" as const,
        workflowType,
        workflowId: scheduleId,
        taskQueue,
        args,
      };
      const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: "1 minute" as const };
      const state = paused === undefined ? {} : { paused };
      try {
        await temporal.call((client) =>
          client.schedule.create({ scheduleId, spec, action, policies, state }),
        );
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        await temporal.call((client) =>
          client.schedule.getHandle(scheduleId).update((before) => ({
            spec,
            action,
            policies,
            state: { ...before.state, ...state },
          })),
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
    list: (prefix) =>
      temporal.call(async (client) => {
        const ids: string[] = [];
        for await (const { scheduleId } of client.schedule.list({ pageSize: 1_000 }))
          if (scheduleId.startsWith(prefix)) ids.push(scheduleId);
        return ids;
      }),
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

function specOf(times: ScheduleTimes): ScheduleSpec {
  const { jitterMs: jitter = 0 } = times;
  if ("everyMs" in times) return { intervals: [{ every: times.everyMs }], jitter };
  return { cronExpressions: [times.cron], timezone: times.timezone, jitter };
}
