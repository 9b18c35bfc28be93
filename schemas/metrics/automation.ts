/** Metrics of what goes on by itself: mirrors, forks, schedules and webhooks. */
import type { MetricDefinitions } from "./definition.ts";

export const automationMetrics = {
  forgeline_mirror_syncs_total: {
    type: "counter",
    help: "Syncs of mirrors that have ended, by outcome: `changed`, `unchanged` or `failed`.",
    labels: ["outcome"],
  },
  forgeline_mirror_sync_seconds: {
    type: "histogram",
    help: "Duration of syncs of mirrors.",
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200],
  },
  forgeline_mirror_received_bytes_total: {
    type: "counter",
    help: "Bytes of Git objects that syncs of mirrors received.",
  },
  forgeline_mirrors: {
    type: "gauge",
    help: "Mirrors of the instance: `working`, `failing` (the last sync failed) and `paused`.",
    labels: ["state"],
  },
  forgeline_push_mirror_syncs_total: {
    type: "counter",
    help: "Syncs of push mirrors that have ended, by outcome: `changed`, `unchanged` or `failed`.",
    labels: ["outcome"],
  },
  forgeline_push_mirror_sync_seconds: {
    type: "histogram",
    help: "Duration of syncs of push mirrors.",
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200],
  },
  forgeline_push_mirror_sent_bytes_total: {
    type: "counter",
    help: "Bytes of Git objects that syncs of push mirrors sent.",
  },
  forgeline_push_mirrors: {
    type: "gauge",
    help: "Push mirrors of the instance: `working`, `diverged` (somebody else has changed the target), `failing` (the last sync failed otherwise) and `paused`.",
    labels: ["state"],
  },
  forgeline_fork_syncs_total: {
    type: "counter",
    help: "Syncs of forks that have ended, by outcome: `up_to_date`, `fast_forwarded`, `merged`, `conflict` or `failed`.",
    labels: ["outcome"],
  },
  forgeline_fork_schedules: {
    type: "gauge",
    help: "Forks that are synced by themselves: `working`, `failing` (the last sync failed or found a conflict) and `paused`.",
    labels: ["state"],
  },
  forgeline_schedule_times_total: {
    type: "counter",
    help: "Times of schedules that have come, by outcome: `started`, `skipped` (missed), `failed` or `turned_off` (its owner has lost the right).",
    labels: ["outcome"],
  },
  forgeline_schedule_delay_seconds: {
    type: "histogram",
    help: "From a schedule's time to the creation of its run.",
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600],
  },
  forgeline_schedule_lag_seconds: {
    type: "gauge",
    help: "Age of the oldest time of a schedule that nothing was made of yet; 0 if there is none.",
  },
  forgeline_pipeline_schedules: {
    type: "gauge",
    help: "Schedules of pipelines: `working`, `failing` (the last start failed) and `off`.",
    labels: ["state"],
  },
  forgeline_imports_total: {
    type: "counter",
    help: "Imports of repositories from other hosts that have ended, by outcome: `done`, `failed` or `cancelled`.",
    labels: ["outcome"],
  },
  forgeline_audit_exports_total: {
    type: "counter",
    help: "Exports of audit logs that have ended, by outcome: `done` or `failed`.",
    labels: ["outcome"],
  },
  forgeline_audit_export_bytes_total: {
    type: "counter",
    help: "Bytes of files that exports of audit logs have made.",
  },
  forgeline_audit_stream_batches_total: {
    type: "counter",
    help: "Batches of entries that were sent to the targets of audit logs, by target (`https`, `bucket`, `syslog`) and outcome.",
    labels: ["target", "outcome"],
  },
  forgeline_audit_stream_entries_total: {
    type: "counter",
    help: "Entries that the targets of audit logs have accepted, those that were sent again included.",
    labels: ["target"],
  },
  forgeline_audit_streams: {
    type: "gauge",
    help: "Streams of audit logs: `working`, `failing` (the target did not accept the last attempt) and `paused`.",
    labels: ["state"],
  },
  forgeline_audit_stream_lag_entries: {
    type: "gauge",
    help: "Entries that wait to be sent to the targets of audit logs, all together; paused streams do not count.",
  },
  forgeline_audit_stream_lag_seconds: {
    type: "gauge",
    help: "How long the oldest of these entries has waited; 0 if there is none.",
  },
  forgeline_webhook_attempts_total: {
    type: "counter",
    help: "Requests to webhooks, by outcome.",
    labels: ["outcome"],
  },
  forgeline_webhook_attempt_seconds: {
    type: "histogram",
    help: "Duration of requests to webhooks.",
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  forgeline_webhook_deliveries: {
    type: "gauge",
    help: "Deliveries of webhooks that wait, on all servers: `pending` were not sent yet, `retrying` were not accepted.",
    labels: ["state"],
  },
  forgeline_run_traces_total: {
    type: "counter",
    help: "Traces of runs by outcome: sent, refused by the endpoint, given up after a day of failures.",
    labels: ["outcome"],
  },
  forgeline_run_trace_failures_total: {
    type: "counter",
    help: "Attempts to send the trace of a run that failed and are repeated.",
  },
  forgeline_run_traces_waiting: { type: "gauge", help: "Traces of runs that are still to be sent." },
  forgeline_run_traces_oldest_seconds: {
    type: "gauge",
    help: "Age of the oldest trace that is still to be sent.",
  },
} as const satisfies MetricDefinitions;
