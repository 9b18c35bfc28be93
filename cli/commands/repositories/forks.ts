/** `forgeline repo fork`, `forgeline repo forks`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { parseRepository } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

export function addForkCommands(repo: Command): void {
  repo
    .command("fork <owner/name>")
    .description("Copy a repository to your account, or to an organization")
    .option("--owner <organization>", "create it in this organization instead of your account")
    .option("--name <name>", "name it differently from its upstream")
    .action(async (name: string, options: { owner?: string; name?: string }, command: Command) => {
      const { api, print } = await contextOf(command);
      const body = {
        ...(options.owner === undefined ? {} : { owner: options.owner }),
        ...(options.name === undefined ? {} : { name: options.name }),
      };
      const params = { path: parseRepository(name) };
      const made = await valueOf(api.POST("/repos/{owner}/{repo}/forks", { params, body }));
      print(made, () => `forked to ${made.full_name}\n\n  git clone ${made.clone_urls.https}`);
    });
  repo
    .command("forks <owner/name>")
    .description("List the forks of a repository that you can see, newest first")
    .action(async (name: string, _options: unknown, command: Command) => {
      const { api, print } = await contextOf(command);
      const path = parseRepository(name);
      const forks = await everyPage((query) =>
        api.GET("/repos/{owner}/{repo}/forks", { params: { path, query } }),
      );
      print(forks, () =>
        renderList(
          "forks",
          ["NAME", "VISIBILITY", "CREATED"],
          forks.map((one) => [one.full_name, one.visibility, one.created_at]),
        ),
      );
    });
}
