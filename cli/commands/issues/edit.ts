/** `forgeline issue edit`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { collect } from "../../options/collect.ts";
import { requireChanges } from "../../options/omit-undefined.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { changeSeveral } from "./change-several.ts";
import { addTextOptions, bodyOf, milestoneId, readIssue, type TextFlags } from "./fields.ts";
import { one, parseNumber } from "./show.ts";

interface EditFlags extends TextFlags {
  addLabel?: string[];
  removeLabel?: string[];
  addAssignee?: string[];
  removeAssignee?: string[];
  /** False: `--no-milestone`. */
  milestone?: string | false;
  due?: string | false;
}

export function addEditCommand(issue: Command): void {
  addTextOptions(issue.command("edit <numbers...>"))
    .description("Change an issue, or several at once; what is not named stays as it is")
    .option("--add-label <names>", "put labels on it", collect)
    .option("--remove-label <names>", "take labels off it", collect)
    .option("--add-assignee <users>", "also assign these", collect)
    .option("--remove-assignee <users>", "no longer assign these", collect)
    .option("--milestone <title>", "milestone")
    .option("--no-milestone", "take it off its milestone")
    .option("--due <date>", "day on which it is due")
    .option("--no-due", "without such a day")
    .action(edit);
}

async function edit(texts: string[], flags: EditFlags, command: Command): Promise<void> {
  const [number = 0, ...more] = texts.map(parseNumber);
  if (more.length > 0) return editSeveral([number, ...more], flags, command);
  const context = await contextOf(command);
  const { api, print, repository } = context;
  const body = requireChanges(
    {
      title: flags.title,
      body: await bodyOf(flags),
      ...(await changedLists(context, number, flags)),
      milestone: await milestoneOf(context, flags.milestone),
      due_on: flags.due === false ? null : flags.due,
    },
    "a title, a text, labels, assignees, a milestone or a date",
  );
  const path = { ...(await repository()), number };
  const changed = await valueOf(api.PATCH(one, { params: { path }, body }));
  print(changed, () => terminalSafe(`changed #${changed.number}: ${changed.title}`));
}

async function editSeveral(numbers: number[], flags: EditFlags, command: Command): Promise<void> {
  if (flags.title !== undefined || flags.body !== undefined || flags.bodyFile !== undefined)
    throw new UsageError("title and text are changed of one issue at a time");
  const context = await contextOf(command);
  const changes = requireChanges(
    {
      add_labels: flags.addLabel,
      remove_labels: flags.removeLabel,
      add_assignees: flags.addAssignee,
      remove_assignees: flags.removeAssignee,
      milestone: await milestoneOf(context, flags.milestone),
      due_on: flags.due === false ? null : flags.due,
    },
    "labels, assignees, a milestone or a date",
  );
  await changeSeveral(context, { numbers, ...changes }, "changed");
}

/** With what is there already, since lists replace each other. */
async function changedLists(context: CliContext, number: number, flags: EditFlags) {
  const { addLabel, removeLabel, addAssignee, removeAssignee } = flags;
  if (!(addLabel || removeLabel || addAssignee || removeAssignee)) return {};
  const { labels, assignees } = await readIssue(context, number);
  const names = labels.map(({ name }) => name);
  const users = assignees.map(({ username }) => username);
  return {
    labels: addLabel || removeLabel ? changedList(names, addLabel, removeLabel) : undefined,
    assignees: addAssignee || removeAssignee ? changedList(users, addAssignee, removeAssignee) : undefined,
  };
}

function changedList(before: readonly string[], added: string[] = [], removed: string[] = []): string[] {
  const gone = new Set(removed.map((each) => each.toLowerCase()));
  return [...before, ...added].filter((each) => !gone.has(each.toLowerCase()));
}

function milestoneOf(context: CliContext, wanted: string | false | undefined) {
  if (wanted === undefined) return undefined;
  return wanted === false ? null : milestoneId(context, wanted);
}
