/** A rule of a team's routing as one option: `address events=team_mention repos=api,web`. */
import { routingTargets, teamReasons } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { UsageError } from "../../connection/settings.ts";

type Rule = Schemas["RoutingRule"];

/** For Commander: an option that may be given several times. Commas belong to the rule. */
export function collectRule(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** Throws `UsageError`. */
export function parseRule(text: string): Rule {
  const [first = "", ...parts] = text.trim().split(/\s+/);
  const to = routingTargets.find((each) => each === first);
  if (!to) throw new UsageError(`a rule begins with ${routingTargets.join(", ")}`);
  const rule: Rule = { events: null, repositories: null, to };
  for (const part of parts) {
    const [, key, value = ""] = /^(events|repos)=(.+)$/.exec(part) ?? [];
    if (key === undefined)
      throw new UsageError("after that, a rule has events=NAME,NAME and repos=NAME,NAME");
    if (key === "events") rule.events = value.split(",").map(reasonOf);
    else rule.repositories = value.split(",");
  }
  return rule;
}

function reasonOf(given: string): (typeof teamReasons)[number] {
  const reason = teamReasons.find((each) => each === given);
  if (!reason) throw new UsageError(`events of a rule are ${teamReasons.join(", ")}`);
  return reason;
}

/** What `parseRule` reads. */
export function textOfRule({ to, events, repositories }: Rule): string {
  return [
    to,
    ...(events ? [`events=${events.join(",")}`] : []),
    ...(repositories ? [`repos=${repositories.join(",")}`] : []),
  ].join(" ");
}
