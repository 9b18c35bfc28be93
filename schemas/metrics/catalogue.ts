/**
 * Every metric of server and worker, as Prometheus sees it. `docs/operations/metrics.md` is made from it; a name or label that
 * changes breaks what operators have built on it.
 */
import { gitMetrics } from "./git.ts";
import type { MetricDefinitions } from "./definition.ts";

export const metricCatalogue = {
  forgeline_http_request_seconds: {
    type: "histogram",
    help: "Time from a request's head to the end of its answer.",
    labels: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  },
  forgeline_http_requests: {
    type: "gauge",
    help: "Requests over REST of this process: running, until their answer begins, and waiting for others of the same user or address.",
    labels: ["state"],
  },
  forgeline_http_requests_refused_total: {
    type: "counter",
    help: "Requests over REST refused because too many of the same user or address waited, or for too long.",
  },
  forgeline_http_body_bytes: {
    type: "gauge",
    help: "Bytes that this process keeps room for, for bodies of requests under way over REST and Git LFS.",
  },
  forgeline_database_connections: {
    type: "gauge",
    help: "Connections of this process's pool; `waiting` counts requests for one.",
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
    help: "Requests let through uncounted because the database gave no answer.",
    labels: ["category"],
  },

  ...gitMetrics,

  forgeline_lfs_objects_total: {
    type: "counter",
    help: "Git LFS objects by what became of them: stored, refused, or handed out.",
    labels: ["outcome"],
  },
  forgeline_lfs_bytes_total: {
    type: "counter",
    help: "Bytes of Git LFS objects that went through this process.",
    labels: ["direction"],
  },
  forgeline_lfs_uploads: {
    type: "gauge",
    help: "Uploads of Git LFS objects through this process now.",
  },
  forgeline_lfs_uploads_refused_total: {
    type: "counter",
    help: "Uploads of Git LFS objects told to come back: the same object was on its way, or the owner had too many.",
    labels: ["why"],
  },
  forgeline_maintenance_total: {
    type: "counter",
    help: "Repositories that were looked after, by how it ended and what was repacked.",
    labels: ["outcome", "repack"],
  },
  forgeline_repositories_damaged: {
    type: "gauge",
    help: "Repositories whose last check found objects that cannot be read.",
  },
  forgeline_storage_measurements_total: {
    type: "counter",
    help: "Repositories whose size was measured.",
    labels: ["outcome"],
  },
  forgeline_statistics_computed_total: {
    type: "counter",
    help: "Repositories whose statistics were looked at, by what there was to do.",
    labels: ["outcome"],
  },
  forgeline_statistics_waiting: {
    type: "gauge",
    help: "Repositories whose statistics are to be computed.",
  },

  forgeline_open_pipelines: {
    type: "gauge",
    help: "Runs that have not ended, on all servers, by status.",
    labels: ["status"],
  },
  forgeline_pipeline_duration_seconds: {
    type: "histogram",
    help: "Time from a run's first start to its end, by outcome; seen by the worker that ended it.",
    labels: ["outcome"],
    buckets: [0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400],
  },
  forgeline_job_attempts: {
    type: "gauge",
    help: "Job attempts that are offered or leased, on all servers.",
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
    help: "Queued job attempts by the labels that they ask for.",
    labels: ["labels"],
  },
  forgeline_queue_oldest_seconds: {
    type: "gauge",
    help: "Age of the oldest queued job attempt by the labels that it asks for.",
    labels: ["labels"],
  },
  forgeline_queue_wait_seconds: {
    type: "histogram",
    help: "Time from queueing to the offer that a runner got.",
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200],
  },
  forgeline_claim_seconds: {
    type: "histogram",
    help: "Duration of the statement that claims a job attempt for a runner.",
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
  },
  forgeline_offers_total: { type: "counter", help: "Offers to runners by answer.", labels: ["answer"] },
  forgeline_runners: { type: "gauge", help: "Registered runners, connected or not.", labels: ["connected"] },
  forgeline_runner_sockets: { type: "gauge", help: "Runners connected to this process." },
  forgeline_runner_sockets_cut_off_total: {
    type: "counter",
    help: "Runner connections closed because they had used up their budget of messages.",
  },
  forgeline_runner_sockets_refused_total: {
    type: "counter",
    help: "Openings of runner sockets that were refused, by reason.",
    labels: ["why"],
  },
  forgeline_log_bytes_total: {
    type: "counter",
    help: "Log bytes that this process made durable: `raw` as steps printed them, `stored` as they take room.",
    labels: ["form"],
  },
  forgeline_log_viewers: { type: "gauge", help: "Sockets of this process that watch logs." },
  forgeline_open_logs_refused_total: {
    type: "counter",
    help: "Log sockets and streams over REST refused because a user or an address had too many open.",
    labels: ["whose"],
  },

  forgeline_outbox_items: {
    type: "gauge",
    help: "Intents that wait for Temporal, and those that it refused for good.",
    labels: ["state"],
  },
  forgeline_outbox_delivered_total: { type: "counter", help: "Intents handed to Temporal." },
  forgeline_outbox_delivery_seconds: {
    type: "histogram",
    help: "Time of handing over the waiting items of one key.",
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
  },
  forgeline_work: {
    type: "gauge",
    help: "Background work that Temporal knows: what runs, and what ended within its retention.",
    labels: ["kind", "state"],
  },
  forgeline_work_actions_total: {
    type: "counter",
    help: "What administrators did about background work.",
    labels: ["action", "kind"],
  },
  forgeline_worker_up: { type: "gauge", help: "1 while the workflow worker polls Temporal." },
  forgeline_worker_items: {
    type: "gauge",
    help: "What the workflow worker holds: activations and local activities under way, workflows kept in memory.",
    labels: ["kind"],
  },
  forgeline_audit_disagreements_total: {
    type: "counter",
    help: "Times that a chain of the audit log did not agree with its signed point outside the database.",
  },
  forgeline_mails_total: {
    type: "counter",
    help: "Mails handed to the mail server, by what came of it.",
    labels: ["outcome"],
  },
} as const satisfies MetricDefinitions;

export type MetricName = keyof typeof metricCatalogue;
