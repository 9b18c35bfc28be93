/** `forgeline repo transfer|transfers|accept-transfer|cancel-transfer`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { parseRepository } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

export function addTransferCommands(repo: Command): void {
  repo
    .command("transfer <owner/name> <new-owner>")
    .description("Offer a repository to a user or organization; immediate if you own both")
    .action(transfer);
  repo.command("transfers").description("List transfers that you can accept or withdraw").action(transfers);
  repo
    .command("accept-transfer <owner/name>")
    .description("Accept a repository offered to you")
    .action(accept);
  repo.command("cancel-transfer <owner/name>").description("Withdraw or decline a transfer").action(cancel);
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
  print(offers, () => renderList("transfers", ["REPOSITORY", "TO", "", "EXPIRES"], rows));
}

async function accept(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: parseRepository(name) };
  const repository = await valueOf(api.POST("/repos/{owner}/{repo}/transfer/accept", { params }));
  print(repository, () => `${name} is ${repository.full_name} now`);
}

async function cancel(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: parseRepository(name) };
  await valueOf(api.DELETE("/repos/{owner}/{repo}/transfer", { params }));
  print({ repository: name, cancelled: true }, () => `${name} is no longer offered`);
}
