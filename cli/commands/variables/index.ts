/** `forgeline variable list|set|delete`: variables that every run of a repository, an organization or the instance has. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { readText } from "../../options/read-file.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { firstLine } from "./first-line.ts";
import { addOwnerOptions, ownedBy, type OwnerOptions } from "../../options/settings-owner.ts";

export function variableCommand(): Command {
  const variable = new Command("variable").description("Variables that every run has");
  addOwnerOptions(variable.command("list"), "variables").description("List them, by name").action(list);
  addOwnerOptions(variable.command("set <name> [value]"), "variables")
    .option("--file <file>", "take the value from a file, without the line break at its end")
    .description("Add or change one")
    .action(set);
  addOwnerOptions(variable.command("delete <name>"), "variables").description("Delete one").action(remove);
  addExamples(variable, [
    "forgeline variable set REGION eu-central-1",
    "forgeline variable set REGISTRY registry.example.com --org acme",
    "forgeline variable list --instance",
    "forgeline pipeline plan",
  ]);
  return variable;
}

async function list(options: OwnerOptions, command: Command): Promise<void> {
  const { api, print, at, owner } = await ownedBy(command, options, "variables");
  const found = await everyPage((query) => api.GET(at(""), { params: { path: owner, query } }));
  print(found, () =>
    renderList(
      "variables",
      ["NAME", "VALUE", "CHANGED BY", "CHANGED"],
      found.map((each) => [each.name, firstLine(each.value), each.changed_by ?? "", each.updated_at]),
    ),
  );
}

async function set(
  name: string,
  value: string | undefined,
  options: OwnerOptions & { file?: string },
  command: Command,
): Promise<void> {
  const { file, ...place } = options;
  if ((value === undefined) === (file === undefined))
    throw new UsageError("give the value, or name its file with --file");
  const given = file === undefined ? (value ?? "") : (await readText(file)).replace(/\r?\n$/, "");
  const { api, print, at, owner, ofOwner } = await ownedBy(command, place, "variables");
  const path = { ...owner, name };
  const body = { value: given };
  const made = await valueOf(api.PUT(at("/{name}"), { params: { path }, body }));
  print(made, () => `${made.name} ${ofOwner} is set`);
}

async function remove(name: string, options: OwnerOptions, command: Command): Promise<void> {
  const { api, print, at, owner, ofOwner } = await ownedBy(command, options, "variables");
  await valueOf(api.DELETE(at("/{name}"), { params: { path: { ...owner, name } } }));
  print({ deleted: name }, () => `${terminalSafe(name)} ${ofOwner} is deleted`);
}
