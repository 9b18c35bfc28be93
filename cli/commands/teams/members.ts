/** `forgeline team members|set-member|remove-member`. */
import { Option, type Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { parseTeam } from "../../connection/team.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";

export function addTeamMemberCommands(team: Command): void {
  team
    .command("members <team>")
    .description("List the members of a team and of its nested teams")
    .action(list);
  team
    .command("set-member <team> <username>")
    .description("Add a member of the organization or a bot (ORG/BOT), or change their role")
    .addOption(
      new Option("--role <role>", "role of the member").choices(["member", "maintainer"]).default("member"),
    )
    .action(set);
  team
    .command("remove-member <team> <username>")
    .description("Remove a direct member; give your own name to leave")
    .action(remove);
}

async function list(name: string, _options: unknown, command: Command): Promise<void> {
  const { org, team } = parseTeam(name);
  const { api, print } = await contextOf(command);
  const members = await everyPage((query) =>
    api.GET("/orgs/{org}/teams/{team}/members", { params: { path: { org, team }, query } }),
  );
  const rows = members.map((m) => [m.user.username, m.role, m.inherited_from ?? "", m.created_at]);
  print(members, () => renderList("members", ["USER", "ROLE", "THROUGH", "SINCE"], rows));
}

async function set(
  name: string,
  username: string,
  options: { role?: "member" | "maintainer" },
  command: Command,
): Promise<void> {
  const { org, team } = parseTeam(name);
  const { api, print } = await contextOf(command);
  const member = await valueOf(
    api.PUT("/orgs/{org}/teams/{team}/members/{username}", {
      params: { path: { org, team, username } },
      body: omitUndefined({ role: options.role }),
    }),
  );
  print(member, () => `${member.user.username} is ${member.role} of ${name}`);
}

async function remove(name: string, username: string, _options: unknown, command: Command): Promise<void> {
  const { org, team } = parseTeam(name);
  const { api, print } = await contextOf(command);
  const path = { org, team, username };
  await valueOf(api.DELETE("/orgs/{org}/teams/{team}/members/{username}", { params: { path } }));
  print({ team: name, username, removed: true }, () => `${username} is no longer in ${name}`);
}
