/** Schedules of upkeep as REST shows them. */
import type { ScheduleDescription } from "@temporalio/client";
import type { UpkeepSchedule } from "@forgeline/schemas/upkeep-schedules/resource.ts";
import type { ScheduleName } from "@forgeline/schemas/upkeep-schedules/workflow.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Execution } from "../background-work/executions.ts";

export interface ShownSchedule {
  name: ScheduleName;
  description: ScheduleDescription;
  lastRun: { workflowId: string; takenAt: Date; execution: Execution | undefined } | null;
}

export function presentSchedule(
  { name, description, lastRun }: ShownSchedule,
  { baseUrl, webUrl }: Addresses,
): UpkeepSchedule {
  const { info, state, spec } = description;
  const [next] = info.nextActionTimes;
  return {
    name,
    every_seconds: Math.round(Number(spec.intervals?.[0]?.every ?? 0) / 1000),
    paused: state.paused,
    note: state.note === undefined || state.note === "" ? null : state.note,
    running: info.runningActions.length > 0,
    last_run: lastRun && {
      started_at: (lastRun.execution?.startedAt ?? lastRun.takenAt).toISOString(),
      ended_at: lastRun.execution?.endedAt?.toISOString() ?? null,
      state: lastRun.execution?.state ?? null,
      work_url: `${baseUrl}/admin/work/${encodeURIComponent(lastRun.workflowId)}`,
    },
    next_run_at: state.paused || !next ? null : next.toISOString(),
    url: `${baseUrl}/admin/schedules/${name}`,
    web_url: `${webUrl}/-/admin/work`,
  };
}
