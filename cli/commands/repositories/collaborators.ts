/** `forgeline repo collaborators|set-collaborator|remove-collaborator|transfer|transfers|accept|cancel-transfer`. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { parseRepository } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderTable } from "../../output/table.ts";
import { permissionOption } from "../../options/permission.ts";

export function addPeopleCommands(repo: Command): void {
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
  repo
    .command("transfer <owner/name> <new-owner>")
    .description("Offer a repository to a user or organization; immediate if you own both")
    .action(transfer);
  repo.command("transfers").description("List transfers that you can accept or withdraw").action(transfers);
  repo
    .command("accept-transfer <owner/name>")
    .description("Accept a repository offered to you")
    .action(accept);
  repo
    .command("cancel-transfer <owner/name>")
    .description("Withdraw or decline a transfer")
    .action(cancelTransfer);
}

async function list(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const path = parseRepository(name);
  const people = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/collaborators", { params: { path, query } }),
  );
  const rows = people.map((c) => [c.user.username, c.permission, c.created_at]);
  print(people, () => renderTable(["USER", "PERMISSION", "SINCE"], rows));
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

async function transfer(name: string, owner: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: parseRepository(name) };
  const body = { new_owner: owner };
  const offer = await valueOf(api.POST("/repos/{owner}/{repo}/transfer", { params, body }));
  print(offer, () =>
    offer.status === "done"
      ? `${name} is ${offer.repository.full_name} now`
      : `offered ${name} to ${owner}, who can accept it until ${offer.expires_at}`,
  );
}

async function transfers(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const offers = await everyPage((query) => api.GET("/user/transfers", { params: { query } }));
  const rows = offers.map((offer) => [
    offer.repository.full_name,
    offer.new_owner.name,
    offer.may_accept ? "yours to accept" : "",
    offer.expires_at,
  ]);
  print(offers, () => renderTable(["REPOSITORY", "TO", "", "EXPIRES"], rows));
}

async function accept(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: parseRepository(name) };
  const repository = await valueOf(api.POST("/repos/{owner}/{repo}/transfer/accept", { params }));
  print(repository, () => `${name} is ${repository.full_name} now`);
}

async function cancelTransfer(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: parseRepository(name) };
  await valueOf(api.DELETE("/repos/{owner}/{repo}/transfer", { params }));
  print({ repository: name, cancelled: true }, () => `${name} is no longer offered`);
}
