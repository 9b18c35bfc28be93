/** Who may merge into a branch, in which ways, and who may do so although something is missing. */
import { mergeStrategies, type MergeStrategy } from "@forgeline/schemas/core/merge-strategies.ts";
import { levelCovers, type RepositoryLevel } from "@forgeline/schemas/core/repository-levels.ts";
import type { Rule } from "../../../hosting/domain.ts";
import { lackingOf, type MergeFacts } from "./judge.ts";

/** Why they may not merge, whatever else is so; undefined: they may. */
export function closedToMerge(rules: readonly Rule[], level: RepositoryLevel): string | undefined {
  const closed = rules.find(({ is_merger: isNamed, merge_level: least }) => {
    return !isNamed && (least === "none" || !levelCovers(level, least));
  });
  if (!closed) return undefined;
  const { pattern, merge_level: least } = closed;
  const named = "the users and teams it names";
  if (least === "none") return `Rule "${pattern}" allows only ${named} to merge here.`;
  return `Rule "${pattern}" allows only level ${least} or higher, or ${named}, to merge here.`;
}

/** In their usual order. None: the rules have none in common. */
export function allowedStrategies(rules: readonly Rule[]): MergeStrategy[] {
  return mergeStrategies.filter((strategy) =>
    rules.every(
      (rule) =>
        rule.merge_strategies.includes(strategy) &&
        !(rule.require_linear_history && strategy === "merge") &&
        !(rule.require_signed_commits && strategy === "rebase"),
    ),
  );
}

const ways: Record<MergeStrategy, string> = {
  merge: "with a merge commit",
  squash: "squashed",
  rebase: "rebased",
  fast_forward: "fast-forward",
};

const noWayText = "The rules for this branch have no way to merge in common.";

/** Why it cannot be merged at all, in words. */
export function noWay(rules: readonly Rule[]): string[] {
  return allowedStrategies(rules).length === 0 ? [noWayText] : [];
}

export function strategyProblem(rules: readonly Rule[], strategy: MergeStrategy): string | undefined {
  const allowed = allowedStrategies(rules);
  if (allowed.includes(strategy)) return undefined;
  if (allowed.length === 0) return noWayText;
  return `The rules for this branch do not let merge requests be merged ${ways[strategy]}: use ${allowed.join(" or ")}.`;
}

/** Each rule that something is missing for has to name them, and it takes Maintain. */
export function mayBypass(rules: readonly Rule[], facts: MergeFacts, level: RepositoryLevel): boolean {
  if (!levelCovers(level, "maintain")) return false;
  const lacking = rules.filter((rule) => lackingOf([rule], facts).length > 0);
  // Together rules can want what none of them wants alone.
  const asked = lacking.length > 0 ? lacking : rules;
  return asked.every((rule) => rule.is_bypasser);
}
