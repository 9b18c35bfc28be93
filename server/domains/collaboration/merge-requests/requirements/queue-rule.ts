/** What rules say of the merge queue of a branch. Pure. */
import { mergeQueueOf, type MergeQueueSettings } from "@forgeline/schemas/branch-protections/merge-queue.ts";
import { distinctChecks, type CheckWanted, type Rule } from "../../../hosting/domain.ts";
import type { ByQueue } from "./facts.ts";

export interface QueueRule extends MergeQueueSettings {
  /** What has to pass for what the branch becomes; empty: all that runs. */
  checks: CheckWanted[];
  /** A run has to succeed. */
  wantsRun: boolean;
}

/** Where several have one, the strictest of each value; undefined: none has. */
export function queueRuleOf(rules: readonly Rule[]): QueueRule | undefined {
  const all = rules.flatMap(({ merge_queue: queue }) => (queue ? mergeQueueOf(queue) : []));
  if (all.length === 0) return undefined;
  return {
    max_batch: Math.min(...all.map((each) => each.max_batch)),
    parallel_batches: Math.min(...all.map((each) => each.parallel_batches)),
    max_wait_minutes: Math.min(...all.map((each) => each.max_wait_minutes)),
    checks: distinctChecks(rules),
    wantsRun: rules.some((rule) => rule.require_pipeline),
  };
}

/** Before it is added, no run has seen what it becomes; undefined: the branch has no queue. */
export function beforeQueue(rules: readonly Rule[]): ByQueue | undefined {
  return queueRuleOf(rules) && { tested: null };
}
