/** Metrics of one kind of slots for Git's work. */
import type { Metrics } from "../../metrics.ts";
import { createCounter, createGauge, createHistogram } from "../../declared-metrics.ts";
import type { SlotKind } from "./git-slots.ts";

export function createSlotMetrics(
  registry: Metrics,
  { names }: SlotKind,
  counts: () => { running: number; waiting: number },
) {
  createGauge(registry, `forgeline_git_${names.many}`, (gauge) => {
    for (const [state, count] of Object.entries(counts())) gauge.set({ state }, count);
  });
  return {
    refused: createCounter(registry, `forgeline_git_${names.many}_refused_total`),
    ended: createCounter(registry, `forgeline_git_${names.many}_ended_as_slow_total`),
    waited: createHistogram(registry, `forgeline_git_${names.one}_wait_seconds`),
  };
}
