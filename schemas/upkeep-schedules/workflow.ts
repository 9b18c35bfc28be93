/** The schedules of upkeep, and the workflow that one run of a task is. */
import { z } from "zod";
import { maintenanceScheduleId } from "../maintenance/workflow.ts";

export const upkeepTaskWorkflowName = "upkeepTask";

export const upkeepTaskNames = [
  "remove_deleted_repositories",
  "remove_abandoned_uploads",
  "find_lost_directories",
  "find_outdated_statistics",
  "remove_old_events",
  "remove_old_notifications",
  "remove_unused_keys",
  "check_mirrors",
  "check_push_mirrors",
  "remove_old_syncs",
  "check_fork_schedules",
  "remove_old_fork_syncs",
  "remove_old_schedule_runs",
  "remove_old_imports",
  "remove_old_audit_exports",
  "remove_expired_audit_entries",
  "remove_old_artifacts",
  "remove_unused_attachments",
  "rotate_id_token_keys",
  "remove_old_caches",
  "remove_old_reports",
  "remove_old_runs",
  "end_unapproved_runs",
] as const;
export type UpkeepTaskName = (typeof upkeepTaskNames)[number];

export const scheduleNames = ["maintain_repositories", ...upkeepTaskNames] as const;
export type ScheduleName = (typeof scheduleNames)[number];

/** One schedule for each task queue, so that installations that share a namespace have their own. */
export function scheduleIdOf(name: ScheduleName, taskQueue: string): string {
  return name === "maintain_repositories" ? maintenanceScheduleId(taskQueue) : `upkeep:${taskQueue}:${name}`;
}

/** Of a run: its id begins with that of its schedule. Undefined for other workflows. */
export function taskOfWorkflow(workflowId: string): UpkeepTaskName | undefined {
  return upkeepTaskNames.find((name) => workflowId.startsWith("upkeep:") && workflowId.includes(`:${name}-`));
}

export const RunUpkeepTask = z.strictObject({ task: z.enum(upkeepTaskNames) });
export type RunUpkeepTask = z.infer<typeof RunUpkeepTask>;
