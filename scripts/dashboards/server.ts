/** Servers and workers: requests, Git, the database, Temporal, and the processes themselves. */
import { ofInstance, ofProcesses, percentiles, rate, type DashboardText } from "./dashboard.ts";

export const server: DashboardText = {
  uid: "forgeline-server",
  title: "Forgeline: servers and workers",
  rows: [
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
