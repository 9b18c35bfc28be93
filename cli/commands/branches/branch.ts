/** `forgeline branch`: branches on the server. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";

export function branchCommand(): Command {
  const branch = new Command("branch").description("Branches on the server");
  branch.command("list").description("List branches by name").action(list);
  branch
    .command("create <name>")
    .description("Create a branch; pipelines start as they would after a push")
    .option("--ref <ref>", "starting point: branch, tag or full commit id (default: the default branch)")
    .action(create);
  branch.command("delete <name>").description("Delete a branch").action(remove);
  return branch;
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const branches = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/branches", { params: { path, query } }),
  );
  const rows = branches.map((b) => [
    b.name,
    b.commit.sha.slice(0, 8),
    [b.default ? "default" : "", b.protected ? "protected" : ""].filter(Boolean).join(","),
    b.commit.message.split("\n")[0]?.slice(0, 60) ?? "",
  ]);
  print(branches, () => renderList("branches", ["BRANCH", "COMMIT", "STANDING", "MESSAGE"], rows));
}

async function create(name: string, options: { ref?: string }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: await repository() };
  const body = { name, ...omitUndefined({ ref: options.ref }) };
  const branch = await valueOf(api.POST("/repos/{owner}/{repo}/branches", { params, body }));
  print(branch, () => `created ${branch.name} at ${branch.commit.sha.slice(0, 8)}`);
}

async function remove(branch: string, _options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), branch } };
  await valueOf(api.DELETE("/repos/{owner}/{repo}/branches/{branch}", { params }));
  print({ name: branch, deleted: true }, () => `deleted ${branch}`);
}
