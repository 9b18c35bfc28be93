/** Text of the page about the schedules of upkeep. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Schedule = Schemas["UpkeepSchedule"];

export const text = {
  title: "Schedules",
  lead: "What this instance does by itself from time to time. Each runs once, whatever the number of servers, and never twice at a time.",
  name: "Schedule",
  does: {
    maintain_repositories: "Repack and check repositories",
    remove_deleted_repositories: "Remove deleted repositories for good",
    remove_abandoned_uploads: "Remove unfinished Git LFS uploads",
    find_lost_directories: "Set aside directories without a repository",
    find_outdated_statistics: "Find statistics to compute again",
    remove_old_events: "Remove events and deliveries after 30 days",
    remove_unused_keys: "Remove unused encryption keys",
    check_mirrors: "Check that each mirror has its schedule",
    check_push_mirrors: "Check that each push mirror has its schedule",
    check_fork_schedules: "Check that each fork that is synced by itself has its schedule",
    remove_old_fork_syncs: "Remove the history of syncs of forks after 30 days",
    remove_old_schedule_runs: "Remove the history of schedules of pipelines after 90 days",
    remove_old_syncs: "Remove the history of mirrors after 30 days",
  } satisfies Record<Schedule["name"], string>,
  every: "Every",
  lastRun: "Last run",
  result: "Result",
  nextRun: "Next run",
  never: "not yet",
  running: "running",
  paused: "paused",
  forgotten: "no longer known",
  none: "No schedules",
  noneHint: "A worker creates them when it starts.",
  runNow: "Run now",
  runNowOf: (name: string) => `Run now: ${name}`,
  runs: "Started.",
  pause: "Pause",
  pauseOf: (name: string) => `Pause: ${name}`,
  resume: "Resume",
  resumeOf: (name: string) => `Resume: ${name}`,
  saved: "Saved.",
  actions: "Actions",
} as const;
