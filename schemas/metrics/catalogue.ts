/**
 * Every metric of server and worker, as Prometheus sees it. `docs/operations/metrics.md` is made from it; a name or label that
 * changes breaks what operators have built on it.
 */
import { automationMetrics } from "./automation.ts";
import { gitMetrics } from "./git.ts";
import { collaborationMetrics } from "./collaboration.ts";
import { runControlMetrics } from "./run-control.ts";
import { shellMetrics } from "./shells.ts";
import { jobFileMetrics } from "./job-files.ts";
import type { MetricDefinitions } from "./definition.ts";

export const metricCatalogue = {
  forgeline_http_request_seconds: {
    type: "histogram",
    help: "Time from the end of a request's headers to the end of its response.",
    labels: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  },
  forgeline_http_requests: {
    type: "gauge",
    help: "REST requests in this process: running (until their response begins), and waiting for others of the same user or address.",
    labels: ["state"],
  },
  forgeline_http_requests_refused_total: {
    type: "counter",
    help: "REST requests refused because too many of the same user or address were waiting, or because they waited too long.",
  },
  forgeline_http_body_bytes: {
    type: "gauge",
    help: "Bytes that this process has reserved for the bodies of REST and Git LFS requests in progress.",
  },
  forgeline_database_connections: {
    type: "gauge",
    help: "Database connections in this process's pool; `waiting` counts callers that wait for one.",
    labels: ["state"],
  },
  forgeline_rate_limit_reservations_total: {
    type: "counter",
    help: "Blocks of requests reserved in the database.",
    labels: ["category"],
  },
  forgeline_rate_limit_refused_total: {
    type: "counter",
    help: "Requests refused with 429.",
    labels: ["category"],
  },
  forgeline_rate_limit_uncounted_total: {
    type: "counter",
    help: "Requests let through uncounted because the database did not answer.",
    labels: ["category"],
  },

  ...gitMetrics,
  ...automationMetrics,

  forgeline_lfs_objects_total: {
    type: "counter",
    help: "Git LFS objects by outcome: stored, refused, or handed out.",
    labels: ["outcome"],
  },
  forgeline_lfs_bytes_total: {
    type: "counter",
    help: "Bytes of Git LFS objects transferred through this process.",
    labels: ["direction"],
  },
  forgeline_lfs_uploads: {
    type: "gauge",
    help: "Uploads of Git LFS objects in progress through this process.",
  },
  forgeline_lfs_uploads_refused_total: {
    type: "counter",
    help: "Uploads of Git LFS objects asked to retry later: the same object was being uploaded, or the owner had too many uploads.",
    labels: ["why"],
  },
  ...jobFileMetrics,
  ...shellMetrics,
  forgeline_maintenance_total: {
    type: "counter",
    help: "Maintenance runs of repositories, by outcome and by what was repacked.",
    labels: ["outcome", "repack"],
  },
  forgeline_repositories_damaged: {
    type: "gauge",
    help: "Repositories whose last check found unreadable objects.",
  },
  forgeline_storage_measurements_total: {
    type: "counter",
    help: "Measurements of the size of repositories, by outcome.",
    labels: ["outcome"],
  },
  forgeline_statistics_computed_total: {
    type: "counter",
    help: "Repositories whose statistics were checked, by what had to be done.",
    labels: ["outcome"],
  },
  forgeline_statistics_waiting: {
    type: "gauge",
    help: "Repositories that wait for their statistics to be computed.",
  },
  forgeline_event_follower_lag: {
    type: "gauge",
    help: "Events that a follower has not read yet.",
    labels: ["follower"],
  },
  forgeline_event_follower_lag_seconds: {
    type: "gauge",
    help: "Age of the oldest event that a follower has not read yet.",
    labels: ["follower"],
  },

  ...collaborationMetrics,
  ...runControlMetrics,
  forgeline_concurrency_slots: {
    type: "gauge",
    help: "Slots of concurrency groups by state: held, waiting, expected (a run that may still ask), superseded.",
    labels: ["state"],
  },
  forgeline_concurrency_slots_recovered_total: {
    type: "counter",
    help: "Slots that the safety net found left over or not given to their queue; more than 0 means a bug, or a repository that was deleted or transferred.",
  },
  forgeline_open_pipelines: {
    type: "gauge",
    help: "Runs that have not ended, on all servers, by status.",
    labels: ["status"],
  },
  forgeline_child_pipelines_total: {
    type: "counter",
    help: "Tries of jobs to start another pipeline, by outcome (`started` or `refused`) and by way: `trigger` in the file, or `token`: a request with the job's token.",
    labels: ["outcome", "way"],
  },
  forgeline_pipeline_duration_seconds: {
    type: "histogram",
    help: "Time from a run's first start to its end, by outcome; measured by the worker that ended it.",
    labels: ["outcome"],
    buckets: [0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400],
  },
  forgeline_job_attempts: {
    type: "gauge",
    help: "Job attempts that are offered or leased, on all servers, by state.",
    labels: ["state"],
  },
  forgeline_job_duration_seconds: {
    type: "histogram",
    help: "Time from lease to result of job attempts, by outcome.",
    labels: ["outcome"],
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400],
  },
  forgeline_queue_length: {
    type: "gauge",
    help: "Queued job attempts by the labels that they require.",
    labels: ["labels"],
  },
  forgeline_queue_oldest_seconds: {
    type: "gauge",
    help: "Age of the oldest queued job attempt by the labels that it requires.",
    labels: ["labels"],
  },
  forgeline_queue_idle_slots: {
    type: "gauge",
    help: "Free slots of connected runners that could take queued jobs of these labels; the 100 label sets that wait longest.",
    labels: ["labels"],
  },
  forgeline_queue_owner_length: {
    type: "gauge",
    help: "Queued job attempts by owner of the repository: the 20 owners with the most, and `(others)` for the rest.",
    labels: ["owner"],
  },
  forgeline_queue_owner_oldest_seconds: {
    type: "gauge",
    help: "Age of the oldest queued job attempt by owner of the repository, as `forgeline_queue_owner_length`.",
    labels: ["owner"],
  },
  forgeline_queue_wait_seconds: {
    type: "histogram",
    help: "Time from queueing to the offer to a runner.",
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200],
  },
  forgeline_claim_seconds: {
    type: "histogram",
    help: "Duration of the statement that claims a job attempt for a runner.",
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
  },
  forgeline_offers_total: { type: "counter", help: "Offers to runners by answer.", labels: ["answer"] },
  forgeline_runners: {
    type: "gauge",
    help: "Registered runners, by whether they are connected.",
    labels: ["connected"],
  },
  forgeline_runner_sockets: { type: "gauge", help: "Runners connected to this process." },
  forgeline_runner_sockets_cut_off_total: {
    type: "counter",
    help: "Runner connections closed because they had used up their message budget.",
  },
  forgeline_runner_sockets_refused_total: {
    type: "counter",
    help: "Runner connections refused when they were opened, by reason.",
    labels: ["why"],
  },
  forgeline_log_bytes_total: {
    type: "counter",
    help: "Log bytes that this process stored durably: `raw` as printed by steps, `stored` as written to storage.",
    labels: ["form"],
  },
  forgeline_log_viewers: { type: "gauge", help: "Open sockets of this process that watch logs." },
  forgeline_open_logs_refused_total: {
    type: "counter",
    help: "Log sockets and REST log streams refused because a user or an address had too many open.",
    labels: ["whose"],
  },
  forgeline_log_searches: {
    type: "gauge",
    help: "Searches of logs in this process that are under way or wait for their turn.",
    labels: ["state"],
  },
  forgeline_log_searches_refused_total: {
    type: "counter",
    help: "Searches of logs refused because too many waited.",
  },
  forgeline_log_search_bytes_total: { type: "counter", help: "Bytes of logs that this process searched." },

  forgeline_outbox_items: {
    type: "gauge",
    help: "Intents that wait for delivery to Temporal, and those that it refused permanently.",
    labels: ["state"],
  },
  forgeline_outbox_delivered_total: { type: "counter", help: "Intents delivered to Temporal." },
  forgeline_outbox_delivery_seconds: {
    type: "histogram",
    help: "Time to deliver the waiting items of one key.",
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
  },
  forgeline_work: {
    type: "gauge",
    help: "Background work known to Temporal: running, and ended within its retention period.",
    labels: ["kind", "state"],
  },
  forgeline_work_actions_total: {
    type: "counter",
    help: "Actions of administrators on background work.",
    labels: ["action", "kind"],
  },
  forgeline_worker_up: { type: "gauge", help: "1 while the workflow worker polls Temporal." },
  forgeline_worker_items: {
    type: "gauge",
    help: "What the workflow worker holds: activations and local activities in progress, workflows cached in memory.",
    labels: ["kind"],
  },
  forgeline_audit_expired_total: {
    type: "counter",
    help: "Entries of audit logs that were removed because their time was over.",
  },
  forgeline_audit_disagreements_total: {
    type: "counter",
    help: "How often a chain of the audit log disagreed with its signed checkpoint outside the database.",
  },
  forgeline_data_keys: {
    type: "gauge",
    help: "Keys in the keyring of the instance; more than one after a rotation, until nothing refers to the old ones.",
  },
  forgeline_data_key_age_seconds: {
    type: "gauge",
    help: "Age of the key by which the instance encrypts; absent for one that is older than the keyring.",
  },
  forgeline_keyring_readable: {
    type: "gauge",
    help: "0 while this process cannot read the keyring, or the key that opens it, and continues with the keys that it knew before.",
  },
  forgeline_mails_total: {
    type: "counter",
    help: "Mails passed to the mail server, by outcome; `dropped`: those who were to get it no longer may, or do not want to.",
    labels: ["outcome"],
  },
} as const satisfies MetricDefinitions;

export type MetricName = keyof typeof metricCatalogue;
