/** Metrics that no dashboard shows, with the reason: whoever adds a metric decides whether it has a panel. */
import type { MetricName } from "@forgeline/schemas/metrics/catalogue.ts";

const beside = (name: MetricName) => `${name} shows the same from another side`;

export const notShown: Partial<Record<MetricName, string>> = {
  forgeline_artifacts_stored_total: beside("forgeline_artifacts_stored_bytes_total"),
  forgeline_caches_saved_total: beside("forgeline_caches_saved_bytes_total"),
  forgeline_cache_bytes_total: beside("forgeline_caches_restored_bytes_total"),
  forgeline_job_reports_read_total: beside("forgeline_job_reports_read_seconds"),
  forgeline_lfs_objects_total: beside("forgeline_lfs_bytes_total"),
  forgeline_audit_export_bytes_total: beside("forgeline_audit_exports_total"),
  forgeline_audit_stream_entries_total: beside("forgeline_audit_stream_batches_total"),
  forgeline_audit_stream_lag_entries: beside("forgeline_audit_stream_lag_seconds"),
  forgeline_event_follower_lag: beside("forgeline_event_follower_lag_seconds"),
  forgeline_notification_events_waiting: beside("forgeline_notification_oldest_seconds"),
  forgeline_run_traces_waiting: beside("forgeline_run_traces_oldest_seconds"),
  forgeline_outbox_delivered_total: beside("forgeline_outbox_delivery_seconds"),
  forgeline_log_search_bytes_total: beside("forgeline_log_searches"),
  forgeline_rate_limit_reservations_total:
    "what the rate limits cost the database; it grows with the requests, which are shown",
  forgeline_git_remotes_ended_as_slow_total: "clients do not hold these processes, so none is ended as slow",
  forgeline_git_background_ended_as_slow_total:
    "clients do not hold these processes, so none is ended as slow",
  forgeline_git_readers_ended_as_slow_total: "clients do not hold these processes, so none is ended as slow",
  forgeline_data_keys: "of use while keys are rotated only; their age is shown",
  forgeline_keyring_readable: "an alert tells of it",
};
