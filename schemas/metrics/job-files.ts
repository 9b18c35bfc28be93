/** Metrics about the files that jobs leave behind: artifacts, caches and reports. */
import type { MetricDefinitions } from "./definition.ts";

export const jobFileMetrics = {
  forgeline_artifacts_stored_total: {
    type: "counter",
    help: "Artifacts of jobs that were uploaded completely.",
  },
  forgeline_artifacts_stored_bytes_total: {
    type: "counter",
    help: "Bytes of artifacts that were uploaded completely.",
  },
  forgeline_artifacts_expired_total: {
    type: "counter",
    help: "Artifacts that were removed because their time was over.",
  },
  forgeline_artifact_bytes_total: {
    type: "counter",
    help: "Bytes of artifacts transferred through this process.",
    labels: ["direction"],
  },
  forgeline_cache_lookups_total: {
    type: "counter",
    help: "Caches that jobs asked for, by what was found: the very key, a beginning of it, or nothing.",
    labels: ["outcome"],
  },
  forgeline_caches_saved_total: {
    type: "counter",
    help: "Caches of jobs that were saved.",
  },
  forgeline_caches_saved_bytes_total: {
    type: "counter",
    help: "Bytes of caches that were saved, compressed.",
  },
  forgeline_caches_restored_bytes_total: {
    type: "counter",
    help: "Bytes of caches that jobs were given to restore, compressed.",
  },
  forgeline_old_runs_removed_total: {
    type: "counter",
    help: "Runs, and logs of runs, that were removed because their time was over.",
    labels: ["what"],
  },
  forgeline_caches_removed_total: {
    type: "counter",
    help: "Caches that were removed: for room, since nobody used them, or at somebody's request.",
    labels: ["why"],
  },
  forgeline_cache_bytes_total: {
    type: "counter",
    help: "Bytes of caches transferred through this process.",
    labels: ["direction"],
  },
  forgeline_job_reports_read_total: {
    type: "counter",
    help: "Jobs whose reports were read.",
  },
  forgeline_job_report_problems_total: {
    type: "counter",
    help: "Problems with reports of jobs, such as files that cannot be read.",
  },
  forgeline_job_reports_read_seconds: {
    type: "histogram",
    help: "Duration of reading all reports of one job.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  forgeline_job_reports_removed_total: {
    type: "counter",
    help: "Jobs whose reports were removed: since their time was over (`time`), or since the repository had too many results of tests (`room`).",
    labels: ["why"],
  },
  forgeline_job_reports_waiting: {
    type: "gauge",
    help: "Jobs whose reports wait to be read, in the whole instance.",
  },
} as const satisfies MetricDefinitions;
