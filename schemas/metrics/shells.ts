/** Metrics of shells in jobs. */
import type { MetricDefinitions } from "./definition.ts";

export const shellMetrics = {
  forgeline_shells_open: {
    type: "gauge",
    help: "Shells that are open in jobs of the instance, or were just asked for.",
  },
  forgeline_shells_opened_total: {
    type: "counter",
    help: "Shells that users asked for and may have.",
    onCommit: true,
  },
  forgeline_shells_ended_total: {
    type: "counter",
    help: "Shells that this process ended, by reason: `exited`, `closed` (by the user), `idle`, `time_limit`, `output_limit`, `permission`, `runner_gone`, `runner_refuses`, `runner_too_old`, `log_failed`, `server_restart` or `lost`.",
    labels: ["reason"],
  },
} as const satisfies MetricDefinitions;
