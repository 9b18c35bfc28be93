/** Shows the rules of a CODEOWNERS file. */
import type { CodeOwner } from "@forgeline/compiler/code-owners/file.ts";
import type { MatchedRule } from "@forgeline/compiler/code-owners/match.ts";
import type * as resource from "@forgeline/schemas/code-owners/resource.ts";
import type { KnownOwners } from "./known-owners.ts";

export function presentRule({ section, rule }: MatchedRule, known: KnownOwners): resource.CodeOwnersRule {
  const { line, pattern, owners } = rule;
  return {
    line,
    pattern,
    section: section.name,
    optional: section.optional,
    approvals: section.approvals,
    owners: owners.map((owner) => presentOwner(owner, known)),
  };
}

function presentOwner(owner: CodeOwner, known: KnownOwners): resource.CodeOwner {
  const found = known(owner);
  return {
    type: owner.type,
    name: owner.text,
    username: found?.type === "user" ? found.username : null,
    team: found?.type === "team" && found.visible ? found.team : null,
  };
}
