/** Metrics of what holds runs up and lets them through, and of what jobs are handed: gates, slots, deployments, secrets. */
import type { MetricDefinitions } from "./definition.ts";

const longWaits = [1, 10, 60, 300, 900, 3600, 14_400, 43_200, 86_400, 259_200, 604_800];

export const runControlMetrics = {
  forgeline_job_failures_total: {
    type: "counter",
    help: "Jobs that ended as `failed` or `error`, by the first word of their reason, such as `exit`, `timeout` or `runner_lost`; `other` for a word that this version does not know. A job that is retried counts once, at its end.",
    labels: ["status", "reason"],
    onCommit: true,
  },
  forgeline_approval_gates_opened_total: {
    type: "counter",
    help: "Gates at which runs began to wait for people, by what asks for the approval: `stage`, `job` or `environment`.",
    labels: ["of"],
    onCommit: true,
  },
  forgeline_approval_wait_seconds: {
    type: "histogram",
    help: "Time from the opening of a gate to its decision, by outcome: `approved`, `rejected` or `expired`. Gates of runs that were cancelled are not counted.",
    labels: ["outcome"],
    buckets: longWaits,
    onCommit: true,
  },
  forgeline_concurrency_wait_seconds: {
    type: "histogram",
    help: "Time from asking for a slot of a concurrency group to holding it, by scope of the group: `repo` or `org`.",
    labels: ["scope"],
    buckets: longWaits,
    onCommit: true,
  },
  forgeline_concurrency_slots_superseded_total: {
    type: "counter",
    help: "Slots of concurrency groups that gave way to those of a newer run.",
    onCommit: true,
  },
  forgeline_deployment_seconds: {
    type: "histogram",
    help: "Duration of deployments to environments, by outcome; 0 for one that no runner began.",
    labels: ["outcome"],
    buckets: [1, 5, 15, 60, 300, 900, 3600, 14_400],
    onCommit: true,
  },
  forgeline_placements_lost_total: {
    type: "counter",
    help: "Stages with `placement: together` that lost their runner, by whether their jobs share a workspace (`yes`, `no`).",
    labels: ["shared"],
    onCommit: true,
  },
  forgeline_jobs_signed_total: {
    type: "counter",
    help: "Job attempts that were signed when they were queued. Those that a runner refused are `forgeline_job_failures_total` with the reason `not_signed`.",
    onCommit: true,
  },
  forgeline_privileged_jobs_total: {
    type: "counter",
    help: "Attempts of privileged jobs that were queued.",
    onCommit: true,
  },
  forgeline_secrets_given_total: {
    type: "counter",
    help: "Secrets that were handed to jobs, each one counted for each attempt.",
    onCommit: true,
  },
  forgeline_id_tokens_issued_total: {
    type: "counter",
    help: "Identity tokens that were issued to jobs.",
    onCommit: true,
  },
} as const satisfies MetricDefinitions;
