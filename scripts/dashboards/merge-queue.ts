/** Panels about merge queues. */
import { ofInstance, percentiles, rate, type Panel } from "./dashboard.ts";

export const mergeQueuePanels: Panel[] = [
  {
    title: "Merge requests that wait in merge queues",
    unit: "short",
    queries: [[ofInstance("forgeline_merge_queue_entries"), "waiting"]],
  },
  {
    title: "Batches of merge queues, by result",
    unit: "ops",
    queries: [[rate("forgeline_merge_queue_batches_total", "result"), "{{result}}"]],
  },
  {
    title: "Time in a merge queue until landed",
    unit: "s",
    queries: percentiles("forgeline_merge_queue_wait_seconds"),
  },
];
