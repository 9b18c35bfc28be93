/** Runs, jobs, runners, and what holds them up. */
import { ofInstance, ofProcesses, percentiles, rate, type DashboardText } from "./dashboard.ts";

export const pipelines: DashboardText = {
  uid: "forgeline-pipelines",
  title: "Forgeline: pipelines",
  rows: [
    {
      title: "Runs",
      panels: [
        {
          title: "Runs that ended",
          unit: "ops",
          queries: [[rate("forgeline_pipeline_duration_seconds_count", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Duration of runs that succeeded",
          unit: "s",
          queries: percentiles('forgeline_pipeline_duration_seconds{outcome="success"}'),
        },
        {
          title: "Open runs",
          unit: "short",
          queries: [[ofInstance("forgeline_open_pipelines", "status"), "{{status}}"]],
        },
        {
          title: "Jobs that ended",
          unit: "ops",
          queries: [[rate("forgeline_job_duration_seconds_count", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Duration of jobs that succeeded",
          unit: "s",
          queries: percentiles('forgeline_job_duration_seconds{outcome="success"}'),
        },
        {
          title: "Jobs that failed, by reason",
          unit: "ops",
          queries: [[rate("forgeline_job_failures_total", "status, reason"), "{{status}}: {{reason}}"]],
        },
        {
          title: "Signed and privileged jobs",
          unit: "ops",
          description: "Attempts, when they were queued.",
          queries: [
            [rate("forgeline_jobs_signed_total"), "signed"],
            [rate("forgeline_privileged_jobs_total"), "privileged"],
          ],
        },
      ],
    },
    {
      title: "Queue and runners",
      panels: [
        {
          title: "Wait for a runner",
          unit: "s",
          queries: percentiles("forgeline_queue_wait_seconds"),
        },
        {
          title: "Jobs in the queue, by labels",
          unit: "short",
          queries: [[ofInstance("forgeline_queue_length", "labels"), "{{labels}}"]],
        },
        {
          title: "Oldest job in the queue, by labels",
          unit: "s",
          queries: [[ofInstance("forgeline_queue_oldest_seconds", "labels"), "{{labels}}"]],
        },
        {
          title: "Runners",
          unit: "short",
          queries: [[ofInstance("forgeline_runners", "connected"), "connected: {{connected}}"]],
        },
        {
          title: "Demand and free slots",
          unit: "short",
          description: "Free slots are of runners that could take the jobs that wait.",
          queries: [
            [`sum (${ofInstance("forgeline_queue_length", "labels")})`, "waiting jobs"],
            [`sum (${ofInstance("forgeline_queue_idle_slots", "labels")})`, "free slots"],
            [ofInstance('forgeline_job_attempts{state="leased"}'), "running jobs"],
          ],
        },
        {
          title: "Queue by owner",
          unit: "short",
          queries: [[ofInstance("forgeline_queue_owner_length", "owner"), "{{owner}}"]],
        },
        {
          title: "Oldest job in the queue, by owner",
          unit: "s",
          queries: [[ofInstance("forgeline_queue_owner_oldest_seconds", "owner"), "{{owner}}"]],
        },
        {
          title: "Offers to runners, by answer",
          unit: "ops",
          queries: [[rate("forgeline_offers_total", "answer"), "{{answer}}"]],
        },
        {
          title: "Claims of jobs",
          unit: "s",
          queries: percentiles("forgeline_claim_seconds"),
        },
        {
          title: "Connections of runners",
          unit: "short",
          queries: [
            [ofProcesses("forgeline_runner_sockets"), "open"],
            [
              `sum by (why) (increase(forgeline_runner_sockets_refused_total[1h]))`,
              "refused in the last hour: {{why}}",
            ],
            [`sum (increase(forgeline_runner_sockets_cut_off_total[1h]))`, "cut off in the last hour"],
          ],
        },
        {
          title: "Stages that lost their runner",
          unit: "ops",
          queries: [[rate("forgeline_placements_lost_total", "shared"), "shared workspace: {{shared}}"]],
        },
      ],
    },
    {
      title: "Approvals, concurrency, deployments",
      panels: [
        {
          title: "Gates opened",
          unit: "ops",
          queries: [[rate("forgeline_approval_gates_opened_total", "of"), "{{of}}"]],
        },
        {
          title: "Decisions, by outcome",
          unit: "ops",
          queries: [[rate("forgeline_approval_wait_seconds_count", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Wait for an approval",
          unit: "s",
          queries: percentiles('forgeline_approval_wait_seconds{outcome="approved"}'),
        },
        {
          title: "Slots of concurrency groups",
          unit: "short",
          queries: [[ofInstance("forgeline_concurrency_slots", "state"), "{{state}}"]],
        },
        {
          title: "Wait for a slot",
          unit: "s",
          queries: percentiles("forgeline_concurrency_wait_seconds"),
        },
        {
          title: "Slots that gave way to a newer run",
          unit: "ops",
          queries: [[rate("forgeline_concurrency_slots_superseded_total"), "superseded"]],
        },
        {
          title: "Slots that the safety net recovered",
          unit: "short",
          description: "More than 0 means a bug, or a deleted repository.",
          queries: [["sum (increase(forgeline_concurrency_slots_recovered_total[1h]))", "in the last hour"]],
        },
        {
          title: "Deployments, by outcome",
          unit: "ops",
          queries: [[rate("forgeline_deployment_seconds_count", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Duration of deployments that succeeded",
          unit: "s",
          queries: percentiles('forgeline_deployment_seconds{outcome="success"}'),
        },
        {
          title: "Pipelines started by jobs",
          unit: "ops",
          queries: [[rate("forgeline_child_pipelines_total", "outcome, way"), "{{outcome}}, by {{way}}"]],
        },
        {
          title: "Times of schedules, by outcome",
          unit: "ops",
          queries: [[rate("forgeline_schedule_times_total", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Delay of schedules",
          unit: "s",
          queries: percentiles("forgeline_schedule_delay_seconds"),
        },
        {
          title: "Schedules",
          unit: "short",
          queries: [[ofInstance("forgeline_pipeline_schedules", "state"), "{{state}}"]],
        },
      ],
    },
    {
      title: "What jobs are given, and leave behind",
      panels: [
        {
          title: "Secrets and identity tokens",
          unit: "ops",
          queries: [
            [rate("forgeline_secrets_given_total"), "secrets"],
            [rate("forgeline_id_tokens_issued_total"), "identity tokens"],
          ],
        },
        {
          title: "Caches that jobs asked for",
          unit: "ops",
          queries: [[rate("forgeline_cache_lookups_total", "outcome"), "{{outcome}}"]],
        },
        {
          title: "Reports",
          unit: "s",
          description: "How long the reports of one job take to read.",
          queries: percentiles("forgeline_job_reports_read_seconds"),
        },
        {
          title: "Reports that wait to be read",
          unit: "short",
          queries: [[ofInstance("forgeline_job_reports_waiting"), "jobs"]],
        },
        {
          title: "Reports with problems, and removed",
          unit: "ops",
          queries: [
            [rate("forgeline_job_report_problems_total"), "problems"],
            [rate("forgeline_job_reports_removed_total", "why"), "removed: {{why}}"],
          ],
        },
        {
          title: "Logs",
          unit: "Bps",
          queries: [[rate("forgeline_log_bytes_total", "form"), "{{form}}"]],
        },
        {
          title: "Viewers of logs",
          unit: "short",
          queries: [[ofProcesses("forgeline_log_viewers"), "viewers"]],
        },
        {
          title: "Searches of logs",
          unit: "short",
          queries: [
            [ofProcesses("forgeline_log_searches", "state"), "{{state}}"],
            [`sum (increase(forgeline_log_searches_refused_total[1h]))`, "refused in the last hour"],
          ],
        },
        {
          title: "Readers of logs refused",
          unit: "reqps",
          queries: [[rate("forgeline_open_logs_refused_total", "whose"), "{{whose}}"]],
        },
        {
          title: "Shells in jobs",
          unit: "short",
          queries: [
            [ofInstance("forgeline_shells_open"), "open"],
            [`sum (increase(forgeline_shells_opened_total[1h]))`, "opened in the last hour"],
          ],
        },
        {
          title: "Shells ended, by reason",
          unit: "ops",
          queries: [[rate("forgeline_shells_ended_total", "reason"), "{{reason}}"]],
        },
      ],
    },
  ],
};
