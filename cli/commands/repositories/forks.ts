/** `forgeline repo fork`, `forgeline repo forks`. */
import type { Command } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import { ApiError, valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { parseRepository, type RepositoryName } from "../../connection/repository.ts";
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
      const made = await valueOf(api.POST("/repos/{owner}/{repo}/forks", { params, body })).catch(
        async (error: unknown) => {
          throw await namingFork(api, { path: params.path, wanted: body }, error);
        },
      );
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

/** Where the name is taken by a fork of the same repository, an error that says so; otherwise the one that came. */
async function namingFork(
  api: ForgelineClient,
  { path, wanted }: { path: RepositoryName; wanted: { owner?: string; name?: string } },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.status !== 409) return error;
  const { owner = (await valueOf(api.GET("/user"))).username, name = path.repo } = wanted;
  const taken = `${owner}/${name}`.toLowerCase();
  const forks = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/forks", { params: { path, query } }),
  );
  const found = forks.find(({ full_name: fullName }) => fullName.toLowerCase() === taken);
  if (!found) return error;
  const upstream = `${path.owner}/${path.repo}`;
  return new ApiError(409, {
    message: `${found.full_name} is a fork of ${upstream} already: git clone ${found.clone_urls.https}`,
  });
}
