/** `forgeline repo deploy-key add|list|remove`: keys of machines that reach one repository over SSH. */
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { parseRepository } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

export function deployKeyCommand(): Command {
  const deployKey = new Command("deploy-key").description("SSH keys for access to a single repository");
  deployKey
    .command("add <owner/name> <file>")
    .description("Add the key in a .pub file")
    .option("--title <text>", "title of the key (default: its comment)")
    .option("--write", "allow pushing")
    .action(add);
  deployKey.command("list <owner/name>").description("List the deploy keys of a repository").action(list);
  deployKey.command("remove <owner/name> <id>").description("Remove a deploy key").action(remove);
  return deployKey;
}

interface AddOptions {
  title?: string;
  write?: boolean;
}

async function add(name: string, file: string, options: AddOptions, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const body = {
    key: await readKeyFile(file),
    permission: options.write ? ("write" as const) : ("read" as const),
    ...(options.title === undefined ? {} : { title: options.title }),
  };
  const params = { path: parseRepository(name) };
  const added = await valueOf(api.POST("/repos/{owner}/{repo}/deploy-keys", { params, body }));
  print(added, () => `added ${added.id} (${added.permission}): ${added.title} ${added.fingerprint}`);
}

async function list(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: parseRepository(name), query: { per_page: 100 } };
  const keys = await valueOf(api.GET("/repos/{owner}/{repo}/deploy-keys", { params }));
  print(keys, () =>
    renderList(
      "deploy keys",
      ["ID", "TITLE", "PERMISSION", "FINGERPRINT"],
      keys.map((key) => [key.id, key.title, key.permission, key.fingerprint]),
    ),
  );
}

async function remove(name: string, id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const path = { ...parseRepository(name), id };
  await valueOf(api.DELETE("/repos/{owner}/{repo}/deploy-keys/{id}", { params: { path } }));
  print({ removed: id }, () => `removed ${id}`);
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new UsageError(`cannot read ${file}`);
  }
}
