/** `forgeline milestone list|create|edit|close|reopen|delete`: what is to be done by a certain day. */
import { Command, Option } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { milestoneFilters } from "@forgeline/client/generated/choices.ts";
import { valueOf } from "../../connection/api.ts";
import { askForName } from "../../connection/ask-for-name.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { omitUndefined, requireChanges } from "../../options/omit-undefined.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { sameText } from "../labels/same-text.ts";

const all = "/repos/{owner}/{repo}/milestones";
const one = "/repos/{owner}/{repo}/milestones/{id}";

interface Fields {
  title?: string;
  description?: string;
  /** False: due on no day any more. */
  due?: string | false;
}

export function milestoneCommand(): Command {
  const milestone = new Command("milestone").description("Milestones: issues to be done by a certain day");
  milestone
    .command("list")
    .description("List milestones, those due first at the top")
    .addOption(new Option("--state <state>", "which of them").choices(milestoneFilters).default("open"))
    .action(list);
  addFields(milestone.command("create <title>")).description("Create a milestone").action(create);
  addFields(milestone.command("edit <title>").option("--title <title>", "new title"))
    .option("--no-due", "due on no day any more")
    .description("Change a milestone; what is not given stays")
    .action(edit);
  milestone
    .command("close <title>")
    .description("Close a milestone; its issues stay as they are")
    .action((title: string, _options, command: Command) => patch(title, { state: "closed" }, command));
  milestone
    .command("reopen <title>")
    .description("Open a closed milestone again")
    .action((title: string, _options, command: Command) => patch(title, { state: "open" }, command));
  milestone
    .command("delete <title>")
    .description("Delete a milestone; its issues stay, without a milestone")
    .option("-y, --yes", "without asking; needed where there is no terminal")
    .action(remove);
  addExamples(milestone, [
    "forgeline milestone create 'Version 2.0' --due 2027-03-31",
    "forgeline milestone list --state all",
    "forgeline milestone close 'Version 2.0'",
  ]);
  return milestone;
}

function addFields(command: Command): Command {
  return command
    .option("--description <text>", "what it is about")
    .option("--due <day>", "the last day, YYYY-MM-DD");
}

async function list({ state }: { state: (typeof milestoneFilters)[number] }, command: Command) {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const found = await everyPage((page) => api.GET(all, { params: { path, query: { ...page, state } } }));
  print(found, () =>
    renderList(
      "milestones",
      ["TITLE", "STATE", "DUE", "OPEN", "CLOSED"],
      found.map((each) => [
        each.title,
        each.state,
        each.due_on ?? "",
        String(each.open_issues),
        String(each.closed_issues),
      ]),
    ),
  );
}

async function create(title: string, fields: Fields, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const body = { ...fieldsOf(fields), title };
  const made = await valueOf(api.POST(all, { params: { path: await repository() }, body }));
  print(made, () => terminalSafe(`created ${made.title}${dueText(made)}`));
}

async function edit(title: string, fields: Fields, command: Command): Promise<void> {
  const changes = requireChanges(fieldsOf(fields), "--title, --description, --due or --no-due");
  await patch(title, changes, command);
}

async function patch(title: string, body: Schemas["MilestoneUpdate"], command: Command): Promise<void> {
  const context = await contextOf(command);
  const { milestone: _, ...path } = await pathOf(context, title);
  const changed = await valueOf(context.api.PATCH(one, { params: { path }, body }));
  context.print(changed, () => terminalSafe(`${changed.title} is ${changed.state}${dueText(changed)}`));
}

async function remove(title: string, { yes = false }: { yes?: boolean }, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { milestone, ...path } = await pathOf(context, title);
  const loss = `This deletes the milestone ${milestone}; its issues stay, without a milestone.`;
  if (!yes) await askForName(milestone, terminalSafe(loss));
  await valueOf(context.api.DELETE(one, { params: { path } }));
  context.print({ deleted: milestone }, () => terminalSafe(`deleted ${milestone}`));
}

function fieldsOf({ title, description, due }: Fields): Omit<Schemas["MilestoneUpdate"], "state"> {
  return omitUndefined({ title, description, due_on: due === false ? null : due });
}

const dueText = ({ due_on: due }: Schemas["Milestone"]) => (due === null ? "" : `, due on ${due}`);

/** Where the milestone of this title is. Throws where there is none. */
async function pathOf({ api, repository }: CliContext, title: string) {
  const path = await repository();
  const found = await everyPage((page) =>
    api.GET(all, { params: { path, query: { ...page, state: "all" } } }),
  );
  const milestone = sameText(found, title, (each) => each.title);
  if (!milestone)
    throw new Error(terminalSafe(`there is no milestone ${title} in ${path.owner}/${path.repo}`));
  return { ...path, id: milestone.id, milestone: milestone.title };
}
