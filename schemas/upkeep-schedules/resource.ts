/** What the instance does by itself from time to time. */
import { z } from "zod";
import { WorkState } from "../background-work/resource.ts";
import { timestamp } from "../core/time.ts";
import { scheduleNames } from "./workflow.ts";

export const UpkeepScheduleName = z
  .enum(scheduleNames)
  .describe(
    "`maintain_repositories`: repacks and checks what is due; `remove_deleted_repositories`: those that cannot be restored any more; `remove_abandoned_uploads`: Git LFS uploads that were never finished; `find_lost_directories`: sets aside directories without a repository; `find_outdated_statistics`: has statistics computed again after an upgrade; `remove_old_events`: events and webhook deliveries after 30 days; `remove_old_notifications`: entries of inboxes 90 days after they were done, others after a year; `remove_unused_keys`: encryption keys that nothing refers to; `check_mirrors`, `check_push_mirrors` and `check_fork_schedules`: make sure that each mirror, and each fork that is synced by itself, has its schedule; `remove_old_syncs`: the history of mirrors and push mirrors, and what their syncs replaced, after 30 days; `remove_old_fork_syncs`: the history of forks after 30 days; `remove_old_schedule_runs`: the history of schedules of pipelines after 90 days; `remove_old_imports`: imports that ended 90 days ago, with their reports; `remove_old_audit_exports`: the files of exports of audit logs after 7 days; `remove_unused_attachments`: files that no saved text mentions within a day; `remove_expired_audit_entries`: entries of audit logs whose time is over.",
  );

const UpkeepRun = z
  .object({
    started_at: timestamp,
    ended_at: timestamp.nullable().describe("Null while it is running, or if Temporal does not remember it."),
    state: WorkState.nullable().describe("Null if Temporal does not remember it."),
    work_url: z.string().describe("Address of its background work in the API."),
  })
  .meta({ id: "UpkeepRun" });

export const UpkeepSchedule = z
  .object({
    name: UpkeepScheduleName,
    every_seconds: z.number().int(),
    paused: z.boolean(),
    note: z.string().nullable().describe("Who paused or resumed it last, and when; null if nobody did."),
    running: z.boolean(),
    last_run: UpkeepRun.nullable(),
    next_run_at: timestamp.nullable().describe("Null while it is paused."),
    url: z.string().describe("Address of this record in the API."),
    web_url: z.string(),
  })
  .meta({ id: "UpkeepSchedule" });
export type UpkeepSchedule = z.infer<typeof UpkeepSchedule>;

export const UpkeepSchedules = z
  .object({ schedules: z.array(UpkeepSchedule) })
  .meta({ id: "UpkeepSchedules" });
export type UpkeepSchedules = z.infer<typeof UpkeepSchedules>;

export const UpkeepScheduleUpdate = z
  .strictObject({ paused: z.boolean() })
  .meta({ id: "UpkeepScheduleUpdate", examples: [{ paused: true }] });
export type UpkeepScheduleUpdate = z.infer<typeof UpkeepScheduleUpdate>;
