/** Metrics of what people do together: issues and merge requests. */
import type { MetricDefinitions } from "./definition.ts";

export const collaborationMetrics = {
  forgeline_collaboration_changes_total: {
    type: "counter",
    help: "Changes that people made to issues, merge requests, reviews, threads and comments, by kind and by the action that webhooks are told, such as `opened` or `closed`.",
    labels: ["kind", "action"],
    onCommit: true,
  },
} as const satisfies MetricDefinitions;
