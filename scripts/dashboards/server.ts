/** Servers and workers: requests, Git, the database, Temporal, and the processes themselves. */
import { collaborationRow } from "./collaboration.ts";
import { ofInstance, ofProcesses, percentiles, rate, type DashboardText } from "./dashboard.ts";

export const server: DashboardText = {
  uid: "forgeline-server",
  title: "Forgeline: servers and workers",
  rows: [
    collaborationRow,
    {
      title: "Requests",
      panels: [
        {
          title: "Requests, by status",
          unit: "reqps",
          queries: [[rate("forgeline_http_request_seconds_count", "status"), "{{status}}"]],
        },
        {
          title: "Duration of requests",
          unit: "s",
          queries: percentiles("forgeline_http_request_seconds"),
        },
        {
          title: "Errors of the server",
          unit: "percentunit",
          description: "The share of requests that were answered with a status from 500.",
          queries: [
            [
              `(${rate('forgeline_http_request_seconds_count{status=~"5.."}')} or vector(0)) / ${rate("forgeline_http_request_seconds_count")}`,
              "errors",
            ],
          ],
        },
        {
          title: "Slowest routes",
          unit: "s",
          description: "The mean of each of the ten slowest.",
          queries: [
            [
              `topk(10, ${rate("forgeline_http_request_seconds_sum", "method, route")} / ${rate("forgeline_http_request_seconds_count", "method, route")})`,
              "{{method}} {{route}}",
            ],
          ],
        },
        {
          title: "Requests under way",
          unit: "short",
          queries: [[ofProcesses("forgeline_http_requests", "state"), "{{state}}"]],
        },
        {
          title: "Requests refused",
          unit: "reqps",
          queries: [
            [rate("forgeline_rate_limit_refused_total", "category"), "rate limit: {{category}}"],
            [rate("forgeline_http_requests_refused_total"), "too many at once"],
          ],
        },
        {
          title: "Rate limits while the database is away",
          unit: "reqps",
          queries: [[rate("forgeline_rate_limit_uncounted_total", "category"), "let through: {{category}}"]],
        },
        {
          title: "Bodies of requests",
          unit: "bytes",
          description: "What processes have reserved for them.",
          queries: [
            [ofProcesses("forgeline_http_body_bytes"), "REST and Git LFS"],
            [ofProcesses("forgeline_git_request_bytes_of_accounts"), "fetches of accounts"],
            [ofProcesses("forgeline_git_request_bytes_of_strangers"), "fetches of strangers"],
          ],
        },
      ],
    },
    {
      title: "Git",
      panels: [
        {
          title: "Exchanges with Git clients",
          unit: "short",
          queries: [[ofProcesses("forgeline_git_exchanges", "state"), "{{state}}"]],
        },
        {
          title: "Wait for a slot",
          unit: "s",
          queries: percentiles("forgeline_git_exchange_wait_seconds"),
        },
        {
          title: "Exchanges refused, by limit",
          unit: "reqps",
          queries: [[rate("forgeline_git_exchanges_refused_total", "full"), "{{full}}"]],
        },
        {
          title: "SSH connections",
          unit: "reqps",
          queries: [[rate("forgeline_ssh_connections_total", "result"), "{{result}}"]],
        },
        {
          title: "Git over SSH",
          unit: "s",
          queries: percentiles("forgeline_ssh_command_seconds"),
        },
        {
          title: "Git processes for the web and REST",
          unit: "short",
          queries: [[ofProcesses("forgeline_git_questions", "state"), "{{state}}"]],
        },
        {
          title: "Other Git processes",
          unit: "short",
          queries: [
            [ofProcesses("forgeline_git_remotes", "state"), "mirrors: {{state}}"],
            [ofProcesses("forgeline_git_background", "state"), "background: {{state}}"],
            [ofProcesses("forgeline_git_readers", "state"), "shared readers: {{state}}"],
          ],
        },
        {
          title: "Wait of Git processes",
          unit: "s",
          description: "95 of 100 waited less.",
          queries: [
            [
              "histogram_quantile(0.95, sum by (le) (rate(forgeline_git_question_wait_seconds_bucket[$__rate_interval])))",
              "REST",
            ],
            [
              "histogram_quantile(0.95, sum by (le) (rate(forgeline_git_remote_wait_seconds_bucket[$__rate_interval])))",
              "mirrors",
            ],
            [
              "histogram_quantile(0.95, sum by (le) (rate(forgeline_git_background_wait_seconds_bucket[$__rate_interval])))",
              "background",
            ],
            [
              "histogram_quantile(0.95, sum by (le) (rate(forgeline_git_reader_wait_seconds_bucket[$__rate_interval])))",
              "shared readers",
            ],
          ],
        },
        {
          title: "Git processes refused",
          unit: "reqps",
          description: "By the limit that was reached.",
          queries: [
            [rate("forgeline_git_questions_refused_total", "full"), "REST: {{full}}"],
            [rate("forgeline_git_remotes_refused_total", "full"), "mirrors: {{full}}"],
            [rate("forgeline_git_background_refused_total", "full"), "background: {{full}}"],
            [rate("forgeline_git_readers_refused_total", "full"), "shared readers: {{full}}"],
          ],
        },
        {
          title: "Git ended as too slow",
          unit: "reqps",
          queries: [
            [rate("forgeline_git_exchanges_ended_as_slow_total"), "exchanges"],
            [rate("forgeline_git_questions_ended_as_slow_total"), "REST"],
          ],
        },
        {
          title: "SSH connections open and held back",
          unit: "short",
          queries: [
            [ofProcesses("forgeline_ssh_connections"), "open"],
            [
              `sum by (what) (increase(forgeline_ssh_held_back_total[1h]))`,
              "held back in the last hour: {{what}}",
            ],
          ],
        },
      ],
    },
    {
      title: "Database",
      panels: [
        {
          title: "Connections",
          unit: "short",
          description: "Those that wait are callers for which no connection was free.",
          queries: [[ofProcesses("forgeline_database_connections", "state"), "{{state}}"]],
        },
        {
          title: "Events not followed yet",
          unit: "s",
          description: "Age of the oldest event that a follower has not read.",
          queries: [[ofInstance("forgeline_event_follower_lag_seconds", "follower"), "{{follower}}"]],
        },
        {
          title: "Audit log disagrees with its checkpoint",
          unit: "short",
          isNumber: true,
          queries: [["sum (forgeline_audit_disagreements_total)", "disagreements"]],
        },
        {
          title: "Age of the key of the instance",
          unit: "s",
          description: "Absent for a key that is older than the keyring.",
          queries: [[ofInstance("forgeline_data_key_age_seconds"), "age"]],
        },
      ],
    },
    {
      title: "Temporal",
      panels: [
        {
          title: "Workers",
          unit: "short",
          isNumber: true,
          queries: [[ofProcesses("forgeline_worker_up"), "polling"]],
        },
        {
          title: "What workers hold",
          unit: "short",
          queries: [[ofProcesses("forgeline_worker_items", "kind"), "{{kind}}"]],
        },
        {
          title: "Background work",
          unit: "short",
          queries: [[ofInstance("forgeline_work", "kind, state"), "{{kind}}: {{state}}"]],
        },
        {
          title: "Intents for Temporal",
          unit: "short",
          queries: [[ofInstance("forgeline_outbox_items", "state"), "{{state}}"]],
        },
        {
          title: "Delivery of intents",
          unit: "s",
          queries: percentiles("forgeline_outbox_delivery_seconds"),
        },
        {
          title: "Actions of administrators on background work",
          unit: "short",
          description: "In the last hour.",
          queries: [
            [`sum by (action, kind) (increase(forgeline_work_actions_total[1h]))`, "{{action}} {{kind}}"],
          ],
        },
        {
          title: "Schedules behind their time",
          unit: "s",
          queries: [[ofInstance("forgeline_schedule_lag_seconds"), "lag"]],
        },
      ],
    },
    {
      title: "Processes",
      panels: [
        {
          title: "Processor time",
          unit: "percentunit",
          description: "1 is a whole core.",
          queries: [[rate("process_cpu_seconds_total", "job, instance"), "{{job}} {{instance}}"]],
        },
        {
          title: "Memory",
          unit: "bytes",
          queries: [[ofProcesses("process_resident_memory_bytes", "job, instance"), "{{job}} {{instance}}"]],
        },
        {
          title: "Lag of the event loop",
          unit: "s",
          queries: [
            [ofInstance("nodejs_eventloop_lag_p99_seconds", "job, instance"), "{{job}} {{instance}}"],
          ],
        },
      ],
    },
  ],
};
