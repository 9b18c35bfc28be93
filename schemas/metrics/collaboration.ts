/** Metrics of what people do together: issues and merge requests. */
import type { MetricDefinitions } from "./definition.ts";

export const collaborationMetrics = {
  forgeline_collaboration_changes_total: {
    type: "counter",
    help: "Changes that people made to issues, merge requests, reviews, threads, comments and discussions, by kind and by the action that webhooks are told, such as `opened` or `closed`.",
    labels: ["kind", "action"],
    onCommit: true,
  },
  forgeline_auto_merges_total: {
    type: "counter",
    help: "Merge requests that waited to be merged by themselves, by what came of it: `merged`, `merged_otherwise` (somebody was faster), or why the wait ended, such as `cancelled` or `conflict`.",
    labels: ["outcome"],
    onCommit: true,
  },
  forgeline_notifications_total: {
    type: "counter",
    help: "Entries of inboxes that were made or renewed, by the reason that is shown there, such as `mention`.",
    labels: ["reason"],
  },
  forgeline_notification_events_waiting: {
    type: "gauge",
    help: "Events of issues and merge requests of which people are still to be told.",
  },
  forgeline_notification_oldest_seconds: {
    type: "gauge",
    help: "How long the oldest of these events has waited; 0 if there is none.",
  },
} as const satisfies MetricDefinitions;
