/** `forgeline repo trusted-authors|remove-trusted-author`. */
import type { Command } from "commander";
import { valueOf } from "../connection/api.ts";
import { everyPage } from "../connection/pages.ts";
import { parseRepository } from "../connection/repository.ts";
import { contextOf } from "../context.ts";
import { renderList } from "../output/table.ts";

export function addTrustedAuthorCommands(repo: Command): void {
  repo
    .command("trusted-authors <owner/name>")
    .description("List whose merge requests from forks run without approval")
    .action(list);
  repo
    .command("remove-trusted-author <owner/name> <username>")
    .description("Ask again before runs of somebody's merge requests from forks start")
    .action(remove);
}

async function list(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const path = parseRepository(name);
  const authors = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/trusted-authors", { params: { path, query } }),
  );
  const rows = authors.map((one) => [
    one.user.username,
    one.trusted_by?.username ?? "a deleted account",
    one.trusted_at,
    one.expires_at,
  ]);
  print(authors, () => renderList("trusted authors", ["AUTHOR", "BY", "SINCE", "UNTIL"], rows));
}

async function remove(name: string, username: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: { ...parseRepository(name), username } };
  await valueOf(api.DELETE("/repos/{owner}/{repo}/trusted-authors/{username}", { params }));
  print(
    { repository: name, username, removed: true },
    () => `runs of ${username} from forks of ${name} wait for an approval again`,
  );
}
