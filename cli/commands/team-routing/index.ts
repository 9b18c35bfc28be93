/** `forgeline team routing`: where notifications of a team go. A team is `ORG/TEAM`, a nested one `ORG/PARENT/CHILD`. */
import { Option, type Command } from "commander";
import { mailDigests, routingTargets, teamReasons, weekdays } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { parseTeam } from "../../connection/team.ts";
import { contextOf } from "../../context.ts";
import { requireChanges } from "../../options/omit-undefined.ts";
import { addExamples } from "../../output/examples.ts";
import { renderFields } from "../../output/fields.ts";
import { quietHours } from "../notifications/quiet-hours.ts";
import { collectRule, parseRule, textOfRule } from "./rules.ts";

type Routing = Schemas["TeamRouting"];

interface SetOptions {
  rule?: string[];
  clear?: boolean;
  address?: string;
  resend?: boolean;
  digest?: Routing["digest"];
  at?: string;
  timeZone?: string;
  quiet?: string;
  quietDays?: string;
}

const url = "/orgs/{org}/teams/{team}/routing";

export function addTeamRoutingCommands(team: Command): void {
  const routing = team.command("routing").description("Where notifications of a team go");
  routing.command("show <team>").description("Show the rules and the shared address").action(show);
  routing
    .command("set <team>")
    .description("Change what you name with options; the rest stays")
    .option(
      "--rule <rule>",
      `where what fits goes (${routingTargets.join(", ")}), with events= (${teamReasons.join(",")}) and repos= to choose; repeat it: all rules are replaced, the first that fits decides`,
      collectRule,
    )
    .addOption(new Option("--clear", "no rules: members are told").conflicts("rule"))
    .option("--address <mail>", "the shared address, which gets a mail that confirms it, or `none`")
    .option("--resend", "send the mail that confirms the address again")
    .addOption(
      new Option("--digest <when>", "a mail for each event, or one for all since the last").choices(
        mailDigests,
      ),
    )
    .option("--at <hh:mm>", "when a daily digest is sent")
    .option("--time-zone <name>", "of these times, such as Europe/Berlin")
    .option("--quiet <from-to>", "hours in which nothing is sent, such as 22:00-07:00, or `off`")
    .option("--quiet-days <days>", `on which they begin: ${weekdays.join(",")}; all if left out`)
    .action(set);
  addExamples(routing, [
    "forgeline team routing show acme/backend",
    'forgeline team routing set acme/backend --address backend@example.org --rule "address events=team_mention repos=api,web" --rule members',
    "forgeline team routing set acme/backend --digest daily --at 08:00 --time-zone Europe/Berlin",
  ]);
}

async function show(name: string, _options: unknown, command: Command): Promise<void> {
  const path = pathOf(name);
  const { api, print } = await contextOf(command);
  const found = await valueOf(api.GET(url, { params: { path } }));
  print(found, () => render(found));
}

async function set(name: string, options: SetOptions, command: Command): Promise<void> {
  const path = pathOf(name);
  const changes = requireChanges(changesOf(options), "an option that changes something");
  const { api, print } = await contextOf(command);
  const { updated_at: _at, address, ...known } = await valueOf(api.GET(url, { params: { path } }));
  const body = { ...known, address: address?.email ?? null, ...changes };
  const changed = await valueOf(api.PUT(url, { params: { path }, body }));
  print(changed, () => render(changed));
}

function pathOf(name: string): { org: string; team: string } {
  const { org, team } = parseTeam(name);
  return { org, team };
}

function changesOf(options: SetOptions) {
  const { rule, clear, address, digest, at, timeZone, resend } = options;
  return {
    rules: clear ? [] : rule?.map(parseRule),
    address: address === "none" ? null : address,
    resend_confirmation: resend,
    digest,
    digest_at: at,
    time_zone: timeZone,
    quiet_hours: quietHours(options),
  };
}

function render(found: Routing): string {
  const { rules, address, quiet_hours: quiet } = found;
  return renderFields([
    ...rules.map((rule, index): [string, string] => [`rule ${index + 1}`, textOfRule(rule)]),
    [rules.length === 0 ? "rules" : "otherwise", "members"],
    ["address", address ? `${address.email} (${address.state})` : "none"],
    ["digest", found.digest === "daily" ? `daily at ${found.digest_at}` : found.digest],
    ["quiet hours", quiet ? `${quiet.from}-${quiet.to}, ${quiet.days.join(", ")}` : "none"],
    ["time zone", found.time_zone],
  ]);
}
