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
    help: "Merge requests that waited to be merged by themselves, by what came of it: `merged`, `merged_otherwise` (somebody was faster), `queued` (the merge queue goes on with it), or why the wait ended, such as `cancelled` or `conflict`.",
    labels: ["outcome"],
    onCommit: true,
  },
  forgeline_merge_queue_batches_total: {
    type: "counter",
    help: "Batches of merge queues that came to an end, by result: `landed`, `failed`, or `given_up` because the branch, a rule, the order or a merge request had changed.",
    labels: ["result"],
  },
  forgeline_merge_queue_wait_seconds: {
    type: "histogram",
    help: "How long merge requests that landed by a merge queue were in it.",
    buckets: [10, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200],
  },
  forgeline_merge_queue_entries: {
    type: "gauge",
    help: "Merge requests that wait in merge queues.",
  },
  forgeline_notifications_total: {
    type: "counter",
    help: "Entries of inboxes that were made or renewed, by the reason that is shown there, such as `mention`.",
    labels: ["reason"],
  },
  forgeline_notification_mails_total: {
    type: "counter",
    help: "Mails of notifications, by the reason for which people get them (`digest` for several, `none` where nobody may or wants to read it any more) and by outcome: `sent`, `failed` (tried again), `refused` or `dropped`.",
    labels: ["reason", "outcome"],
  },
  forgeline_team_mails_total: {
    type: "counter",
    help: "Mails to shared addresses of teams, by outcome: `sent`, `failed` (tried again), `refused` or `dropped` (the team reads it no more, or the address is not confirmed any more).",
    labels: ["outcome"],
  },
  forgeline_inbound_mails_total: {
    type: "counter",
    help: "Mails that came in as answers to notifications, by outcome: `commented`, `refused` (the sender may not comment there, or it cannot be a comment), `automatic`, `forged` (from no address of the person), `duplicate`, `too_many`, `unknown` (what it belongs to is gone), `too_large`, `unreadable` or `failed` (the sending server tries again).",
    labels: ["outcome"],
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
