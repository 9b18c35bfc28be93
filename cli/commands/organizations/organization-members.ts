/** `forgeline org members|set-member|remove-member`. */
import { Option, type Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";

interface RoleOption {
  role?: "owner" | "member";
}

/** `--role`, the same wherever an organization gives one. */
export function roleOption(description: string): Option {
  return new Option("--role <role>", description).choices(["member", "owner"]);
}

export function addMemberCommands(org: Command): void {
  org
    .command("members <org>")
    .description("List the members of an organization")
    .addOption(roleOption("only members with this role"))
    .action(list);
  org
    .command("set-member <org> <username>")
    .description("Add a member immediately, or change a member's role")
    .addOption(roleOption("role of the member").default("member"))
    .action(set);
  org
    .command("remove-member <org> <username>")
    .description("Remove a member; give your own name to leave")
    .action(remove);
}

async function list(org: string, options: RoleOption, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const role = omitUndefined({ role: options.role });
  const members = await everyPage((page) =>
    api.GET("/orgs/{org}/members", { params: { path: { org }, query: { ...page, ...role } } }),
  );
  const rows = members.map((m) => [m.user.username, m.role, m.user.name, m.created_at]);
  print(members, () => renderList("members", ["USER", "ROLE", "NAME", "SINCE"], rows));
}

async function set(org: string, username: string, options: RoleOption, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: { org, username } };
  const member = await valueOf(
    api.PUT("/orgs/{org}/members/{username}", { params, body: omitUndefined({ role: options.role }) }),
  );
  print(member, () => `${member.user.username} is ${member.role} of ${org}`);
}

async function remove(org: string, username: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/orgs/{org}/members/{username}", { params: { path: { org, username } } }));
  print({ organization: org, username, removed: true }, () => `${username} is no longer in ${org}`);
}
