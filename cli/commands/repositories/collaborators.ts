/** `forgeline repo collaborators|set-collaborator|remove-collaborator`. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { parseRepository } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";
import { permissionOption } from "../../options/permission.ts";

export function addCollaboratorCommands(repo: Command): void {
  repo
    .command("collaborators <owner/name>")
    .description("List the collaborators of a repository")
    .action(list);
  repo
    .command("set-collaborator <owner/name> <username>")
    .description("Add a user or a bot (ORG/BOT) as a collaborator, or change their permission")
    .addOption(permissionOption().default("write"))
    .action(set);
  repo
    .command("remove-collaborator <owner/name> <username>")
    .description("Remove a collaborator")
    .action(remove);
}

async function list(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const path = parseRepository(name);
  const people = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/collaborators", { params: { path, query } }),
  );
  const rows = people.map((c) => [c.user.username, c.permission, c.created_at]);
  print(people, () => renderList("collaborators", ["USER", "PERMISSION", "SINCE"], rows));
}

async function set(
  name: string,
  username: string,
  options: { permission?: Schemas["RepositoryLevel"] },
  command: Command,
): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: { ...parseRepository(name), username } };
  const body = omitUndefined({ permission: options.permission });
  const collaborator = await valueOf(
    api.PUT("/repos/{owner}/{repo}/collaborators/{username}", { params, body }),
  );
  print(collaborator, () => `${collaborator.user.username} has ${collaborator.permission} on ${name}`);
}

async function remove(name: string, username: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: { ...parseRepository(name), username } };
  await valueOf(api.DELETE("/repos/{owner}/{repo}/collaborators/{username}", { params }));
  print(
    { repository: name, username, removed: true },
    () => `${username} is no longer a collaborator of ${name}`,
  );
}
