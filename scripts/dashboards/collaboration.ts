/** What people do together, and what they are told of it. */
import { ofInstance, rate, type DashboardText } from "./dashboard.ts";
import { mergeQueuePanels } from "./merge-queue.ts";

export const collaborationRow: DashboardText["rows"][number] = {
  title: "Collaboration",
  panels: [
    {
      title: "Changes to issues, merge requests and comments",
      unit: "ops",
      queries: [[rate("forgeline_collaboration_changes_total", "kind, action"), "{{kind}} {{action}}"]],
    },
    ...mergeQueuePanels,
    {
      title: "Merge requests that were to merge by themselves, by outcome",
      unit: "ops",
      queries: [[rate("forgeline_auto_merges_total", "outcome"), "{{outcome}}"]],
    },
    {
      title: "Entries of inboxes, by reason",
      unit: "ops",
      queries: [[rate("forgeline_notifications_total", "reason"), "{{reason}}"]],
    },
    {
      title: "Mails of notifications, by reason and outcome",
      unit: "ops",
      queries: [[rate("forgeline_notification_mails_total", "reason, outcome"), "{{reason}} {{outcome}}"]],
    },
    {
      title: "Mails to shared addresses of teams, by outcome",
      unit: "ops",
      queries: [[rate("forgeline_team_mails_total", "outcome"), "{{outcome}}"]],
    },
    {
      title: "Answers by mail, by outcome",
      unit: "ops",
      queries: [[rate("forgeline_inbound_mails_total", "outcome"), "{{outcome}}"]],
    },
    {
      title: "Age of the oldest event of which people are still to be told",
      unit: "s",
      queries: [[ofInstance("forgeline_notification_oldest_seconds"), "oldest"]],
    },
  ],
};
