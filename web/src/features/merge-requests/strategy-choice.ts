/** How somebody last merged in this browser: what is offered first the next time. */
import { mergeStrategies } from "@forgeline/client/generated/choices.ts";

export type MergeStrategy = (typeof mergeStrategies)[number];

const key = "forgeline-merge-strategy";

export function lastStrategy(): MergeStrategy {
  const kept = localStorage.getItem(key);
  return mergeStrategies.find((strategy) => strategy === kept) ?? "merge";
}

export function keepStrategy(strategy: MergeStrategy): void {
  localStorage.setItem(key, strategy);
}
