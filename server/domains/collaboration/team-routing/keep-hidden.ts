/** Repositories in rules that nobody was shown stay when somebody saves the rules that they saw. Pure. */
import { maxRoutingRules } from "@forgeline/schemas/team-routing/resource.ts";
import type { StoredRule } from "./decide-target.ts";

/** `isHidden`: of the repositories, which may come back into sight, as when the team reads them again. */
export function keepHidden(
  stored: readonly StoredRule[],
  wanted: readonly StoredRule[],
  isHidden: (repositoryId: string) => boolean,
): StoredRule[] {
  const kept = [...wanted];
  const taken = new Set<StoredRule>();
  let alone = 0;
  for (const [index, rule] of stored.entries()) {
    const hidden = rule.repository_ids?.filter(isHidden) ?? [];
    if (hidden.length === 0) continue;
    const at = kept.findIndex((one) => !taken.has(one) && isSameBut(one, rule, hidden));
    const place = kept[at];
    if (place) {
      const whole = { ...place, repository_ids: joined(rule, place, hidden) };
      kept[at] = whole;
      taken.add(whole);
    } else if (alone < maxRoutingRules) {
      // Where it stood: the first that fits decides.
      const own = { ...rule, repository_ids: hidden };
      kept.splice(index, 0, own);
      taken.add(own);
      alone += 1;
    }
  }
  return kept;
}

/** In the order that is stored, so that what is saved as it was shown is no change. */
function joined(rule: StoredRule, shown: StoredRule, hidden: readonly string[]): string[] {
  const ids = new Set([...(shown.repository_ids ?? []), ...hidden]);
  const known = rule.repository_ids?.filter((id) => ids.has(id)) ?? [];
  return [...new Set([...known, ...ids])];
}

/** Whether `shown` is what was shown of `rule`, maybe with other repositories; nothing was shown of one that is hidden as a whole. */
function isSameBut(shown: StoredRule, rule: StoredRule, hidden: readonly string[]): boolean {
  if (shown.repository_ids === null || hidden.length === rule.repository_ids?.length) return false;
  return shown.to === rule.to && JSON.stringify(shown.events) === JSON.stringify(rule.events);
}
