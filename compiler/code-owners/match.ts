/** Who owns a path: in each section the last rule that matches it. */
import type { CodeOwnersFile, CodeOwnersRule, CodeOwnersSection } from "./file.ts";
import { matchesPath, splitPath, type MatchBudget } from "./path-pattern.ts";

export interface MatchedRule {
  section: CodeOwnersSection;
  rule: CodeOwnersRule;
}

/** About a tenth of a second. */
export const matchSteps = 20_000_000;

/**
 * One rule at most of each section, in the order of the sections; a rule without owners too, since it says that nobody owns
 * the path. Takes steps off the budget; throws `MatchingTooLong` when none are left.
 */
export function rulesFor(
  { sections }: Pick<CodeOwnersFile, "sections">,
  path: string,
  budget: MatchBudget,
): MatchedRule[] {
  const segments = splitPath(path);
  return sections.flatMap(({ section, rules }) => {
    const rule = rules.findLast(({ matches }) => matchesPath(matches, segments, budget));
    return rule ? [{ section, rule }] : [];
  });
}
