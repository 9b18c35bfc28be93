/** Text of the page about a fork and its upstream. */
import type { Schemas } from "@forgeline/client/schemas.ts";

const count = (many: number, what: string) => `${many} ${what}`;

export const text = {
  title: "Sync with upstream",
  lead: (upstream: string) => `This repository is a fork of ${upstream}.`,
  gone: "The upstream is gone, or you cannot see it.",
  notFork: "This repository is not a fork.",
  standing: ({ behind, ahead }: { behind: number; ahead: number }) => {
    if (behind === 0 && ahead === 0) return "up to date";
    const parts = [
      ...(behind > 0 ? [count(behind, "behind")] : []),
      ...(ahead > 0 ? [count(ahead, "ahead")] : []),
    ];
    return parts.join(", ");
  },
  branchStanding: (branch: string, standing: string) => `${branch}: ${standing}`,
  syncBranch: (branch: string) => `Sync ${branch}`,
  syncAll: "Sync all branches",
  preview: "What will change",
  nothing: "Nothing: every branch has the commits of the upstream.",
  fastForward: "goes on",
  merge: "gets a merge commit",
  created: "new",
  branch: "Branch",
  behind: "Behind",
  ahead: "Ahead",
  outcome: "What happens",
  confirm: "Sync",
  cancel: "Cancel",
  done: "Synced.",
  later: "It takes longer, and goes on.",
  history: "History",
  noSyncs: "No syncs yet",
  noSyncsHint: "They are kept for 30 days.",
  startedAt: "Started",
  result: "Result",
  results: {
    waiting: "waiting",
    running: "running",
    up_to_date: "up to date",
    fast_forwarded: "done",
    merged: "merged",
    conflict: "conflict",
    failed: "failed",
    cancelled: "stopped",
  } satisfies Record<Schemas["ForkSync"]["status"], string>,
  changes: "Changes",
  cause: "Cause",
  causes: { manual: "on request", schedule: "schedule" } satisfies Record<
    Schemas["ForkSync"]["cause"],
    string
  >,
  user: "For",
  conflictIn: (branch: string, paths: readonly string[]) => `${branch}: ${paths.join(", ")}`,
  schedule: "Schedule",
  scheduleLead: "Sync this fork by itself, with your rights.",
  scheduledBranch: "Branch",
  scheduledBranchHint: "Leave it empty for every branch that both have.",
  enabled: "Sync by itself",
  owner: "For",
  nextSync: "Next sync",
  failures: "Failures in a row",
  pausedTitle: "Paused",
  pausedHints: {
    transferred: "The fork has another owner. Save the schedule to sync it with your rights.",
    owner:
      "Who set it up may not write to this fork any more. Save the schedule to sync it with your rights.",
    upstream: "Who set it up may not read the upstream any more.",
  } satisfies Record<NonNullable<Schemas["ForkSchedule"]["disabled_reason"]>, string>,
  save: "Save",
  saved: "Saved.",
  unschedule: "Delete the schedule",
  unscheduleTitle: "Sync this fork by itself no more?",
  unscheduleHint: "You can still sync it by hand.",
  unscheduled: "Deleted.",
};
