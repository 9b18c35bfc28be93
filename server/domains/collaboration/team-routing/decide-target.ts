/** Where that goes which concerns a team: by the first of its rules that fits. Pure. */
import type { RoutingTarget, TeamReason } from "@forgeline/schemas/team-routing/resource.ts";

/** As it is stored. Null in place of a list: all. */
export interface StoredRule {
  events: TeamReason[] | null;
  repository_ids: string[] | null;
  to: RoutingTarget;
}

export interface TeamFacts {
  rules: readonly StoredRule[];
  repository_id: string;
  /** The team as such reads it, whatever its members may. */
  may_read: boolean;
  in_organization: boolean;
  address_confirmed: boolean;
  /** A webhook of the organization wants such events. */
  has_webhook: boolean;
}

/** Members are told where what the rule names cannot be: nothing gets lost because an address waits to be confirmed. */
export function decideTarget(facts: TeamFacts, reason: TeamReason): RoutingTarget {
  const rule = facts.rules.find(({ events, repository_ids: ids }) => {
    // One that moved to another organization is shown in no rule, so none acts on it by name.
    const fitsRepository = ids === null || (facts.in_organization && ids.includes(facts.repository_id));
    return fitsRepository && (events === null || events.includes(reason));
  });
  const to = rule?.to ?? "members";
  // Nobody sees rules for what the team reads no more, so they do not keep anything from its members either.
  if (!facts.may_read) return "members";
  if (to === "nobody" || to === "members") return to;
  const reaches = to === "address" ? facts.address_confirmed : facts.has_webhook && facts.in_organization;
  return reaches ? to : "members";
}
