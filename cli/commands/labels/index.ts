/** `forgeline label list|create|edit|delete`: labels for issues and merge requests. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { askForName } from "../../connection/ask-for-name.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { omitUndefined, requireChanges } from "../../options/omit-undefined.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { sameText } from "./same-text.ts";

const all = "/repos/{owner}/{repo}/labels";
const one = "/repos/{owner}/{repo}/labels/{id}";

interface Fields {
  name?: string;
  color?: string;
  description?: string;
}

export function labelCommand(): Command {
  const label = new Command("label").description("Labels of the repository, for issues and merge requests");
  label
    .command("list")
    .description("List labels by name")
    .option("--search <text>", "only those with this text in their name or description")
    .action(list);
  addFields(label.command("create <name>"))
    .description("Create a label; scope::value is one of which an issue has at most one of each scope")
    .action(create);
  addFields(label.command("edit <name>").option("--name <name>", "new name"))
    .description("Rename a label, or change its color or description")
    .action(edit);
  label
    .command("delete <name>")
    .description("Delete a label, and take it off everything it is on")
    .option("-y, --yes", "without asking; needed where there is no terminal")
    .action(remove);
  addExamples(label, [
    "forgeline label create bug --color d73a4a --description 'Something does not work'",
    "forgeline label create priority::high",
    "forgeline label edit bug --name defect",
  ]);
  return label;
}

function addFields(command: Command): Command {
  return command
    .option("--color <hex>", "six hexadecimal digits, such as d73a4a")
    .option("--description <text>", "what it is for");
}

async function list({ search }: { search?: string }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const found = await everyPage((page) =>
    api.GET(all, { params: { path, query: { ...page, ...omitUndefined({ q: search }) } } }),
  );
  print(found, () =>
    renderList(
      "labels",
      ["NAME", "COLOR", "DESCRIPTION"],
      found.map(({ name, color, description }) => [name, color, description]),
    ),
  );
}

async function create(name: string, fields: Fields, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const body = { name, ...fieldsOf(fields) };
  const made = await valueOf(api.POST(all, { params: { path: await repository() }, body }));
  print(made, () => terminalSafe(`created ${made.name}, color ${made.color}`));
}

async function edit(name: string, fields: Fields, command: Command): Promise<void> {
  const body = requireChanges(fieldsOf(fields), "--name, --color or --description");
  const context = await contextOf(command);
  const path = await pathOf(context, name);
  const changed = await valueOf(context.api.PATCH(one, { params: { path }, body }));
  context.print(changed, () => terminalSafe(`changed ${changed.name}, color ${changed.color}`));
}

async function remove(name: string, { yes = false }: { yes?: boolean }, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { label, ...path } = await pathOf(context, name);
  const loss = `This deletes the label ${label} and takes it off everything it is on.`;
  if (!yes) await askForName(label, terminalSafe(loss));
  await valueOf(context.api.DELETE(one, { params: { path } }));
  context.print({ deleted: label }, () => terminalSafe(`deleted ${label}`));
}

function fieldsOf({ name, color, description }: Fields): Schemas["LabelUpdate"] {
  return omitUndefined({ name, color: color?.replace(/^#/, ""), description });
}

/** Where the label of this name is. Throws where there is none. */
async function pathOf({ api, repository }: CliContext, name: string) {
  const path = await repository();
  const found = await everyPage((page) =>
    api.GET(all, { params: { path, query: { ...page, q: name.trim() } } }),
  );
  const label = sameText(found, name, (each) => each.name);
  if (!label) throw new Error(terminalSafe(`there is no label ${name} in ${path.owner}/${path.repo}`));
  return { ...path, id: label.id, label: label.name };
}
