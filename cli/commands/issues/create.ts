/** `forgeline issue create`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { collect } from "../../options/collect.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { findTemplate } from "./text-templates.ts";
import { addTextOptions, bodyOf, milestoneId, type TextFlags } from "./fields.ts";

interface CreateFlags extends TextFlags {
  label?: string[];
  assignee?: string[];
  milestone?: string;
  due?: string;
  template?: string;
}

export function addCreateCommand(issue: Command): void {
  addTextOptions(issue.command("create"))
    .description("Open an issue")
    .option("-l, --label <names>", "labels", collect)
    .option("-a, --assignee <users>", "who takes care of it", collect)
    .option("--milestone <title>", "milestone")
    .option("--due <date>", "day on which it is due, such as 2027-03-31")
    .option("--template <name>", "a template of the repository: its labels, and its text where none is given")
    .action(create);
}

async function create(flags: CreateFlags, command: Command): Promise<void> {
  const { title, label: labels, assignee: assignees, milestone, due } = flags;
  if (title === undefined) throw new UsageError("give --title");
  const given = await bodyOf(flags);
  const context = await contextOf(command);
  const template = flags.template === undefined ? undefined : await findTemplate(context, flags.template);
  const { api, print, repository } = context;
  const wanted = omitUndefined({
    body: given ?? template?.body,
    template: template?.path,
    labels,
    assignees,
    milestone: milestone === undefined ? undefined : await milestoneId(context, milestone),
    due_on: due,
  });
  const params = { path: await repository() };
  const made = await valueOf(
    api.POST("/repos/{owner}/{repo}/issues", { params, body: { title, ...wanted } }),
  );
  print(made, () => terminalSafe(`opened #${made.number}: ${made.web_url}`));
}
