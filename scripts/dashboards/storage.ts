/** What is kept, and what goes to and comes from other servers: objects, mirrors, webhooks, mails, audit logs, traces. */
import { ofInstance, ofProcesses, percentiles, rate, type DashboardText } from "./dashboard.ts";

export const storage: DashboardText = {
  uid: "forgeline-storage",
  title: "Forgeline: storage, mirrors, webhooks",
  rows: [
    {
      title: "Files",
      panels: [
        {
          title: "Artifacts",
          unit: "Bps",
          description: "What goes straight between runners and the object store is in `stored` alone.",
          queries: [
            [rate("forgeline_artifacts_stored_bytes_total"), "stored"],
            [rate("forgeline_artifact_bytes_total", "direction"), "through servers: {{direction}}"],
          ],
        },
        {
          title: "Artifacts removed as their time was over",
          unit: "ops",
          queries: [[rate("forgeline_artifacts_expired_total"), "removed"]],
        },
        {
          title: "Caches",
          unit: "Bps",
          queries: [
            [rate("forgeline_caches_saved_bytes_total"), "saved"],
            [rate("forgeline_caches_restored_bytes_total"), "restored"],
          ],
        },
        {
          title: "Caches removed, by reason",
          unit: "ops",
          queries: [[rate("forgeline_caches_removed_total", "why"), "{{why}}"]],
        },
        {
          title: "Git LFS",
          unit: "Bps",
          queries: [[rate("forgeline_lfs_bytes_total", "direction"), "{{direction}}"]],
        },
        {
          title: "Uploads of Git LFS",
          unit: "short",
          queries: [
            [ofProcesses("forgeline_lfs_uploads"), "under way"],
            [
              `sum by (why) (increase(forgeline_lfs_uploads_refused_total[1h]))`,
              "refused in the last hour: {{why}}",
            ],
          ],
        },
        {
          title: "Old runs and logs removed",
          unit: "ops",
          queries: [[rate("forgeline_old_runs_removed_total", "what"), "{{what}}"]],
        },
        {
          title: "Damaged repositories",
          unit: "short",
          isNumber: true,
          queries: [[ofInstance("forgeline_repositories_damaged"), "damaged"]],
        },
        {
          title: "Maintenance of repositories",
          unit: "ops",
          queries: [[rate("forgeline_maintenance_total", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Repositories measured and counted",
          unit: "ops",
          queries: [
            [rate("forgeline_storage_measurements_total", "outcome"), "size: {{outcome}}"],
            [rate("forgeline_statistics_computed_total", "outcome"), "statistics: {{outcome}}"],
          ],
        },
        {
          title: "Repositories that wait for statistics",
          unit: "short",
          queries: [[ofInstance("forgeline_statistics_waiting"), "waiting"]],
        },
      ],
    },
    {
      title: "Mirrors and forks",
      panels: [
        {
          title: "Mirrors",
          unit: "short",
          queries: [
            [ofInstance("forgeline_mirrors", "state"), "{{state}}"],
            [ofInstance("forgeline_push_mirrors", "state"), "push mirrors: {{state}}"],
          ],
        },
        {
          title: "Syncs, by outcome",
          unit: "ops",
          queries: [
            [rate("forgeline_mirror_syncs_total", "outcome"), "{{outcome}}"],
            [rate("forgeline_push_mirror_syncs_total", "outcome"), "push mirrors: {{outcome}}"],
            [rate("forgeline_fork_syncs_total", "outcome"), "forks: {{outcome}}"],
          ],
        },
        {
          title: "Duration of syncs of mirrors",
          unit: "s",
          queries: percentiles("forgeline_mirror_sync_seconds"),
        },
        {
          title: "Duration of syncs of push mirrors",
          unit: "s",
          queries: percentiles("forgeline_push_mirror_sync_seconds"),
        },
        {
          title: "Forks synced by themselves",
          unit: "short",
          queries: [[ofInstance("forgeline_fork_schedules", "state"), "{{state}}"]],
        },
        {
          title: "Bytes from and to other servers",
          unit: "Bps",
          queries: [
            [rate("forgeline_mirror_received_bytes_total"), "received"],
            [rate("forgeline_push_mirror_sent_bytes_total"), "sent"],
          ],
        },
      ],
    },
    {
      title: "Webhooks and mails",
      panels: [
        {
          title: "Requests to webhooks",
          unit: "reqps",
          queries: [[rate("forgeline_webhook_attempts_total", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Duration of requests to webhooks",
          unit: "s",
          queries: percentiles("forgeline_webhook_attempt_seconds"),
        },
        {
          title: "Deliveries that wait",
          unit: "short",
          queries: [[ofInstance("forgeline_webhook_deliveries", "state"), "{{state}}"]],
        },
        {
          title: "Mails",
          unit: "ops",
          queries: [[rate("forgeline_mails_total", "outcome"), "{{outcome}}"]],
        },
      ],
    },
    {
      title: "Audit logs and traces",
      panels: [
        {
          title: "Audit streams",
          unit: "short",
          queries: [[ofInstance("forgeline_audit_streams", "state"), "{{state}}"]],
        },
        {
          title: "Entries not sent yet",
          unit: "s",
          description: "How long the oldest one has waited.",
          queries: [[ofInstance("forgeline_audit_stream_lag_seconds"), "lag"]],
        },
        {
          title: "Batches to the targets of audit logs",
          unit: "ops",
          queries: [
            [rate("forgeline_audit_stream_batches_total", "target, outcome"), "{{target}}: {{outcome}}"],
          ],
        },
        {
          title: "Imports of repositories",
          unit: "ops",
          queries: [[rate("forgeline_imports_total", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Exports of audit logs",
          unit: "ops",
          queries: [[rate("forgeline_audit_exports_total", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Audit entries removed as their time was over",
          unit: "ops",
          queries: [[rate("forgeline_audit_expired_total"), "removed"]],
        },
        {
          title: "Traces of runs",
          unit: "ops",
          queries: [[rate("forgeline_run_traces_total", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Traces not sent yet",
          unit: "s",
          description: "How long the oldest one has waited.",
          queries: [[ofInstance("forgeline_run_traces_oldest_seconds"), "oldest"]],
        },
        {
          title: "Tries to send traces that failed",
          unit: "ops",
          queries: [[rate("forgeline_run_trace_failures_total"), "failed"]],
        },
      ],
    },
  ],
};
