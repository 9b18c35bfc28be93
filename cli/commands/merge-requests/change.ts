/** `forgeline mr edit|close|reopen|run-pipelines|comment`. */
import { Option, type Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { bothOf, formerNamesOption, namesOption } from "../../options/names-option.ts";
import { requireChanges } from "../../options/omit-undefined.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { parseNumber } from "./show.ts";

interface EditOptions {
  title?: string;
  description?: string;
  target?: string;
  draft?: boolean;
  allowEdits?: boolean;
  label?: string[];
  labels?: string[];
  assignee?: string[];
  assignees?: string[];
}

export function addChangeCommands(mr: Command): void {
  mr.command("edit <number>")
    .description("Change a merge request; what is not named stays as it is")
    .option("-t, --title <text>", "title")
    .option("-d, --description <text>", "description, as Markdown")
    .option("--target <branch>", "branch that gets the changes")
    .addOption(new Option("--draft", "not ready to be merged"))
    .addOption(new Option("--no-draft", "ready to be merged"))
    .addOption(new Option("--allow-edits", "of a fork: who may merge may push to the branch"))
    .addOption(new Option("--no-allow-edits", "of a fork: nobody else may push to the branch"))
    .addOption(namesOption("-l, --label <names...>", "labels; they replace those that are there"))
    .addOption(formerNamesOption("--labels <names...>"))
    .addOption(namesOption("-a, --assignee <users...>", "who takes care of it, instead of who does now"))
    .addOption(formerNamesOption("--assignees <users...>"))
    .action(edit);
  mr.command("close <number>").description("Close a merge request without merging it").action(close);
  mr.command("reopen <number>").description("Reopen a closed merge request").action(reopen);
  mr.command("run-pipelines <number>")
    .description("Run its pipelines on what the target branch would become now")
    .action(runPipelines);
  mr.command("comment <number>")
    .description("Comment on a merge request")
    .requiredOption("-m, --body <text>", "the comment, as Markdown")
    .action(comment);
}

async function edit(text: string, options: EditOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const { title, description, target, draft, allowEdits } = options;
  const labels = bothOf(options.label, options.labels);
  const assignees = bothOf(options.assignee, options.assignees);
  const body = requireChanges(
    {
      title,
      description,
      target_branch: target,
      draft,
      maintainer_can_modify: allowEdits,
      labels,
      assignees,
    },
    "--title, --description, --target, --draft, --no-draft, --allow-edits, --no-allow-edits, --label or --assignee",
  );
  const changed = await valueOf(
    api.PATCH("/repos/{owner}/{repo}/merge-requests/{number}", { params: { path }, body }),
  );
  print(changed, () => `changed !${changed.number}: ${terminalSafe(changed.title)}`);
}

async function close(text: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const closed = await valueOf(api.POST("/repos/{owner}/{repo}/merge-requests/{number}/close", { params }));
  print(closed, () => `closed !${closed.number}`);
}

async function runPipelines(text: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const number = parseNumber(text);
  const params = { path: { ...(await repository()), number } };
  await valueOf(api.POST("/repos/{owner}/{repo}/merge-requests/{number}/pipelines", { params }));
  print({ number }, () => `pipelines of !${number} are about to run`);
}

async function reopen(text: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const opened = await valueOf(api.POST("/repos/{owner}/{repo}/merge-requests/{number}/reopen", { params }));
  print(opened, () => `reopened !${opened.number}`);
}

async function comment(text: string, { body }: { body: string }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const made = await valueOf(
    api.POST("/repos/{owner}/{repo}/merge-requests/{number}/comments", { params, body: { body } }),
  );
  print(made, () => `commented: ${made.web_url}`);
}
