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
  previewBranch: (branch: string) => `Preview sync of ${branch}`,
  previewAll: "Preview sync of all branches",
  preview: "What will change",
  nothing: "Nothing to sync: every branch has all commits of the upstream.",
  fastForward: "fast-forwards",
  merge: "merges cleanly",
  created: "new",
  branch: "Branch",
  behind: "Behind",
  ahead: "Ahead",
  outcome: "What happens",
  confirm: "Sync now",
  cancel: "Cancel",
  done: "Synced.",
  later: "The sync takes longer and continues in the background.",
  conflictTitle: "Both sides have changed the same lines",
  conflictHint: "Merge upstream in a clone and push the result.",
  history: "History",
  noSyncs: "No syncs yet",
  noSyncsHint: "They are kept for 30 days.",
  startedAt: "Started",
  result: "Result",
  results: {
    waiting: "waiting",
    running: "running",
    up_to_date: "up to date",
    fast_forwarded: "succeeded",
    merged: "merged",
    conflict: "conflict",
    failed: "failed",
    cancelled: "stopped",
  } satisfies Record<Schemas["ForkSync"]["status"], string>,
  changes: "Changes",
  cause: "Cause",
  causes: { manual: "Started by hand", schedule: "Scheduled" } satisfies Record<
    Schemas["ForkSync"]["cause"],
    string
  >,
  user: "For",
  conflictIn: (branch: string) => `${branch}:`,
  schedule: "Schedule",
  scheduleLead: "Sync this fork automatically, with your rights.",
  scheduledBranch: "Branch",
  scheduledBranchHint: "Leave it empty for every branch that both have.",
  enabled: "Sync automatically",
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
  unscheduleTitle: "Stop syncing this fork automatically?",
  unscheduleHint: "You can still sync it by hand.",
  unscheduled: "Deleted.",
};
