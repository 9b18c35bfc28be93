/** Metrics of Git over HTTPS and SSH, and of the processes that it takes. */
import type { MetricDefinitions } from "./definition.ts";

const gateWaitSeconds = [0, 0.1, 0.5, 1, 5, 10, 30, 60];
const fullSlots = "by the limit that was reached: server, repository, user, account, strangers, queue";
const slowClients = "ended to make room for others because their client was too slow";

export const gitMetrics = {
  forgeline_git_exchanges: {
    type: "gauge",
    help: "Git exchanges in this process (over HTTPS and SSH, including downloads of archives and large files): running, and waiting for a slot.",
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
    help: "Git processes for REST requests: running, and waiting for a slot.",
    labels: ["state"],
  },
  forgeline_git_questions_refused_total: {
    type: "counter",
    help: `Git processes for REST requests that got no slot, ${fullSlots}.`,
    labels: ["full"],
  },
  forgeline_git_questions_ended_as_slow_total: {
    type: "counter",
    help: `Git processes for REST requests ${slowClients}.`,
  },
  forgeline_git_question_wait_seconds: {
    type: "histogram",
    help: "How long Git processes for REST requests waited for a slot.",
    buckets: gateWaitSeconds,
  },
  forgeline_git_remotes: {
    type: "gauge",
    help: "Git processes that talk to others' servers, for mirrors: running, and waiting for a slot.",
    labels: ["state"],
  },
  forgeline_git_remotes_refused_total: {
    type: "counter",
    help: `Git processes that talk to others' servers and got no slot, ${fullSlots}.`,
    labels: ["full"],
  },
  forgeline_git_remotes_ended_as_slow_total: {
    type: "counter",
    help: `Git processes that talk to others' servers ${slowClients}.`,
  },
  forgeline_git_remote_wait_seconds: {
    type: "histogram",
    help: "How long Git processes that talk to others' servers waited for a slot.",
    buckets: gateWaitSeconds,
  },
  forgeline_git_background: {
    type: "gauge",
    help: "Git processes for background work: running, and waiting for a slot.",
    labels: ["state"],
  },
  forgeline_git_background_refused_total: {
    type: "counter",
    help: `Git processes for background work that got no slot, ${fullSlots}.`,
    labels: ["full"],
  },
  forgeline_git_background_ended_as_slow_total: {
    type: "counter",
    help: `Git processes for background work ${slowClients}.`,
  },
  forgeline_git_background_wait_seconds: {
    type: "histogram",
    help: "How long Git processes for background work waited for a slot.",
    buckets: gateWaitSeconds,
  },
  forgeline_git_readers: {
    type: "gauge",
    help: "Shared Git processes that read objects for all requests: running, and waiting for a slot.",
    labels: ["state"],
  },
  forgeline_git_readers_refused_total: {
    type: "counter",
    help: `Shared Git processes that got no slot, ${fullSlots}.`,
    labels: ["full"],
  },
  forgeline_git_readers_ended_as_slow_total: {
    type: "counter",
    help: `Shared Git processes ${slowClients}.`,
  },
  forgeline_git_reader_wait_seconds: {
    type: "histogram",
    help: "How long shared Git processes waited for a slot.",
    buckets: gateWaitSeconds,
  },
  forgeline_git_request_bytes_of_accounts: {
    type: "gauge",
    help: "Bytes that this process has reserved for fetch requests of accounts.",
  },
  forgeline_git_request_bytes_of_strangers: {
    type: "gauge",
    help: "Bytes that this process has reserved for fetch requests of anonymous clients.",
  },
  forgeline_ssh_connections: { type: "gauge", help: "Open SSH connections of this process." },
  forgeline_ssh_connections_total: {
    type: "counter",
    help: "SSH connections by result: logged_in, not_logged_in, turned_away, flooded.",
    labels: ["result"],
  },
  forgeline_ssh_held_back_total: {
    type: "counter",
    help: "How often SSH clients were throttled: connection (before the handshake), packets (on an open connection).",
    labels: ["what"],
  },
  forgeline_ssh_command_seconds: {
    type: "histogram",
    help: "Duration of commands over SSH, by Git program and by result: ok, failed, refused.",
    labels: ["program", "result"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600],
  },
} as const satisfies MetricDefinitions;
