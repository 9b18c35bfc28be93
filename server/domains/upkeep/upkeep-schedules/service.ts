/** The schedules of upkeep: kept in Temporal by workers, shown to administrators, paused and run by them. */
import { ScheduleNotFoundError, type ScheduleDescription } from "@temporalio/client";
import type { UpkeepSchedule } from "@forgeline/schemas/upkeep-schedules/resource.ts";
import {
  scheduleIdOf,
  scheduleNames,
  upkeepTaskNames,
  upkeepTaskWorkflowName,
  type ScheduleName,
  type UpkeepTaskName,
} from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { TemporalSchedules } from "../../../platform/temporal-schedules.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import type { Recorder } from "../background-work/audit-entries.ts";
import { asked, type Executions } from "../background-work/executions.ts";
import { presentSchedule } from "./present.ts";

export interface UpkeepSchedules {
  /** Creates or updates all of them. Throws if Temporal does not answer. */
  keep(): Promise<void>;
  /** One run of a task, for its workflow. Throws what the task throws. */
  runTask(name: UpkeepTaskName, signal: AbortSignal): Promise<void>;
  /** Those that are there. Throws `unavailable` while Temporal does not answer; so do the following. */
  list(): Promise<UpkeepSchedule[]>;
  /** Throws `not_found`; so do the following. */
  get(name: ScheduleName): Promise<UpkeepSchedule>;
  setPaused(actor: Actor, name: ScheduleName, paused: boolean): Promise<UpkeepSchedule>;
  /** Now, or as soon as its current run has ended. */
  run(actor: Actor, name: ScheduleName): Promise<UpkeepSchedule>;
}

export interface UpkeepSchedulesDeps {
  temporal: Temporal;
  schedules: TemporalSchedules;
  taskQueue: string;
  tasks: Readonly<Record<UpkeepTaskName, UpkeepTask>>;
  executions: Pick<Executions, "find">;
  recorded: Recorder;
  addresses: Addresses;
  clock: Clock;
}

export function createUpkeepSchedules(deps: UpkeepSchedulesDeps): UpkeepSchedules {
  const { temporal, schedules, taskQueue, tasks, recorded } = deps;
  const idOf = (name: ScheduleName) => scheduleIdOf(name, taskQueue);

  /** null before the first run. */
  async function lastRunOf({ info }: ScheduleDescription) {
    const last = info.recentActions.at(-1);
    if (!last) return null;
    const { workflowId, firstExecutionRunId } = last.action.workflow;
    const execution = await deps.executions.find(workflowId, firstExecutionRunId);
    return { workflowId, takenAt: last.takenAt, execution };
  }

  async function find(name: ScheduleName): Promise<UpkeepSchedule | undefined> {
    const description = await asked(temporal, () => schedules.describe(idOf(name)));
    if (!description) return undefined;
    return presentSchedule({ name, description, lastRun: await lastRunOf(description) }, deps.addresses);
  }

  async function get(name: ScheduleName): Promise<UpkeepSchedule> {
    const found = await find(name);
    if (!found) throw new AppError("not_found");
    return found;
  }

  const onExisting = (work: () => Promise<void>) =>
    asked(temporal, work).catch((error: unknown) => {
      if (error instanceof ScheduleNotFoundError) throw new AppError("not_found", { cause: error });
      throw error;
    });

  return {
    async keep() {
      for (const name of upkeepTaskNames)
        await schedules.keep({
          scheduleId: idOf(name),
          times: { everyMs: tasks[name].everyMs },
          workflowType: upkeepTaskWorkflowName,
          taskQueue,
          args: [{ task: name }],
        });
    },
    runTask: async (name, signal) => void (await tasks[name].run(signal)),
    async list() {
      const found = await Promise.all(scheduleNames.map(find));
      return found.filter((each) => each !== undefined);
    },
    get,
    async setPaused(actor, name, paused) {
      const action = paused ? "admin.schedule_pause" : "admin.schedule_resume";
      const at = deps.clock
        .now()
        .toISOString()
        .replace(/\.\d+Z$/, "Z");
      const note = `${paused ? "paused" : "resumed"} by ${actor.username} at ${at}`;
      const target = { type: "schedule", id: name, name };
      await recorded(actor, { action, target }, () =>
        onExisting(() => schedules.setPaused(idOf(name), paused, note)),
      );
      return get(name);
    },
    async run(actor, name) {
      const target = { type: "schedule", id: name, name };
      await recorded(actor, { action: "admin.schedule_run", target }, () =>
        onExisting(() => schedules.trigger(idOf(name))),
      );
      return get(name);
    },
  };
}
