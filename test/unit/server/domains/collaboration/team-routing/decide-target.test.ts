/** Which of a team's rules decides, and who is told where what it names cannot be. */
import { expect, test } from "vitest";
import {
  decideTarget,
  type StoredRule,
  type TeamFacts,
} from "@forgeline/server/domains/collaboration/team-routing/decide-target.ts";

const rule = (to: StoredRule["to"], fits: Partial<StoredRule> = {}): StoredRule => ({
  events: null,
  repository_ids: null,
  to,
  ...fits,
});
const facts = (rules: StoredRule[], more: Partial<TeamFacts> = {}): TeamFacts => ({
  rules,
  repository_id: "repo_a",
  may_read: true,
  in_organization: true,
  address_confirmed: true,
  has_webhook: true,
  ...more,
});

test("the first rule that fits the event and the repository decides; without any, members", () => {
  const rules = [
    rule("nobody", { events: ["review_requested"], repository_ids: ["repo_a"] }),
    rule("webhook", { repository_ids: ["repo_b"] }),
    rule("address", { events: ["team_mention"] }),
  ];
  expect(decideTarget(facts(rules), "review_requested")).toBe("nobody");
  expect(decideTarget(facts(rules), "team_mention")).toBe("address");
  expect(decideTarget(facts(rules, { repository_id: "repo_b" }), "review_requested")).toBe("webhook");
  expect(decideTarget(facts(rules, { repository_id: "repo_c" }), "review_requested")).toBe("members");
  expect(decideTarget(facts([rule("address", { repository_ids: [] })]), "team_mention")).toBe("members");
});

test("members are told where the address or the webhooks cannot be", () => {
  const target = (to: StoredRule["to"], more: Partial<TeamFacts>) =>
    decideTarget(facts([rule(to)], more), "team_mention");
  expect(target("address", { address_confirmed: false })).toBe("members");
  expect(target("address", { may_read: false })).toBe("members");
  expect(target("webhook", { may_read: false })).toBe("members");
  expect(target("webhook", { has_webhook: false })).toBe("members");
  expect(target("webhook", { in_organization: false })).toBe("members");
  expect(target("address", { in_organization: false })).toBe("address");
  expect(target("nobody", { may_read: false })).toBe("members");
  const moved = facts([rule("nobody", { repository_ids: ["repo_a"] })], { in_organization: false });
  expect(decideTarget(moved, "team_mention")).toBe("members");
});
