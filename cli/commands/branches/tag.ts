/** `forgeline tag`: tags on the server. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";

export function tagCommand(): Command {
  const tag = new Command("tag").description("Tags on the server");
  tag.command("list").description("List tags by name").action(list);
  tag
    .command("create <name>")
    .description("Create a tag; pipelines start as they would after a push")
    .option("--ref <ref>", "target: branch, tag or full commit id (default: the default branch)")
    .option("-m, --message <text>", "create an annotated tag with this message")
    .action(create);
  tag.command("delete <name>").description("Delete a tag").action(remove);
  return tag;
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const tags = await everyPage((query) => api.GET("/repos/{owner}/{repo}/tags", { params: { path, query } }));
  const rows = tags.map((t) => [
    t.name,
    t.commit.sha.slice(0, 8),
    (t.message ?? t.commit.message).split("\n")[0]?.slice(0, 60) ?? "",
  ]);
  print(tags, () => renderList("tags", ["TAG", "COMMIT", "MESSAGE"], rows));
}

async function create(
  name: string,
  options: { ref?: string; message?: string },
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: await repository() };
  const body = { name, ...omitUndefined({ ref: options.ref, message: options.message }) };
  const tag = await valueOf(api.POST("/repos/{owner}/{repo}/tags", { params, body }));
  print(tag, () => `created ${tag.name} at ${tag.commit.sha.slice(0, 8)}`);
}

async function remove(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), name } };
  await valueOf(api.DELETE("/repos/{owner}/{repo}/tags/{name}", { params }));
  print({ name, deleted: true }, () => `deleted ${name}`);
}
