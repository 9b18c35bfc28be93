/** Metrics of Git over HTTPS and SSH, and of the processes that it takes. */
import type { MetricDefinitions } from "./definition.ts";

const gateWaitSeconds = [0, 0.1, 0.5, 1, 5, 10, 30, 60];
const fullSlots = "by what was full: server, repository, user, account, strangers, queue";
const slowClients = "ended for others who waited, since their client sent and took next to nothing";

export const gitMetrics = {
  forgeline_git_exchanges: {
    type: "gauge",
    help: "Git exchanges of this process, over HTTPS and SSH, and downloads of archives and large files: running, and waiting for a slot.",
    labels: ["state"],
  },
  forgeline_git_exchanges_refused_total: {
    type: "counter",
    help: `Git exchanges that got no slot, ${fullSlots}.`,
    labels: ["full"],
  },
  forgeline_git_exchanges_ended_as_slow_total: {
    type: "counter",
    help: `Git exchanges ${slowClients}.`,
  },
  forgeline_git_exchange_wait_seconds: {
    type: "histogram",
    help: "How long Git exchanges waited for a slot.",
    buckets: gateWaitSeconds,
  },
  forgeline_git_questions: {
    type: "gauge",
    help: "Processes of Git for requests over REST: running, and waiting for a slot.",
    labels: ["state"],
  },
  forgeline_git_questions_refused_total: {
    type: "counter",
    help: `Processes of Git for requests over REST that got no slot, ${fullSlots}.`,
    labels: ["full"],
  },
  forgeline_git_questions_ended_as_slow_total: {
    type: "counter",
    help: `Processes of Git for requests over REST ${slowClients}.`,
  },
  forgeline_git_question_wait_seconds: {
    type: "histogram",
    help: "How long processes of Git for requests over REST waited for a slot.",
    buckets: gateWaitSeconds,
  },
  forgeline_git_background: {
    type: "gauge",
    help: "Processes of Git for no request: running, and waiting for a slot.",
    labels: ["state"],
  },
  forgeline_git_background_refused_total: {
    type: "counter",
    help: `Processes of Git for no request that got no slot, ${fullSlots}.`,
    labels: ["full"],
  },
  forgeline_git_background_ended_as_slow_total: {
    type: "counter",
    help: `Processes of Git for no request ${slowClients}.`,
  },
  forgeline_git_background_wait_seconds: {
    type: "histogram",
    help: "How long processes of Git for no request waited for a slot.",
    buckets: gateWaitSeconds,
  },
  forgeline_git_readers: {
    type: "gauge",
    help: "Processes of Git that read objects for all requests: running, and waiting for a slot.",
    labels: ["state"],
  },
  forgeline_git_readers_refused_total: {
    type: "counter",
    help: `Processes of Git that read objects for all requests and got no slot, ${fullSlots}.`,
    labels: ["full"],
  },
  forgeline_git_readers_ended_as_slow_total: {
    type: "counter",
    help: `Processes of Git that read objects for all requests, ${slowClients}.`,
  },
  forgeline_git_reader_wait_seconds: {
    type: "histogram",
    help: "How long processes of Git that read objects for all requests waited for a slot.",
    buckets: gateWaitSeconds,
  },
  forgeline_git_request_bytes_of_accounts: {
    type: "gauge",
    help: "Bytes that this process keeps room for, for requests of fetches of accounts.",
  },
  forgeline_git_request_bytes_of_strangers: {
    type: "gauge",
    help: "Bytes that this process keeps room for, for requests of fetches of strangers.",
  },
  forgeline_ssh_connections: { type: "gauge", help: "SSH connections of this process that are open." },
  forgeline_ssh_connections_total: {
    type: "counter",
    help: "SSH connections by what became of them: logged_in, not_logged_in, turned_away, flooded.",
    labels: ["result"],
  },
  forgeline_ssh_held_back_total: {
    type: "counter",
    help: "How often SSH clients had to wait: connection (before its handshake), packets (of one that is open).",
    labels: ["what"],
  },
  forgeline_ssh_command_seconds: {
    type: "histogram",
    help: "Time from a command over SSH to its end, by Git program and by result: ok, failed, refused.",
    labels: ["program", "result"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600],
  },
} as const satisfies MetricDefinitions;
