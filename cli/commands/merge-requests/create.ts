/** `forgeline mr create`. */
import { Option, type Command } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import { valueOf } from "../../connection/api.ts";
import type { RepositoryName } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { bothOf, formerNamesOption, namesOption } from "../../options/names-option.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { currentBranch } from "./local-git.ts";
import { proposalOf } from "./source.ts";
import { chooseTemplate } from "./text-templates.ts";

interface CreateOptions {
  title?: string;
  description?: string;
  source?: string;
  head?: string;
  target?: string;
  draft?: true;
  allowEdits?: boolean;
  fill?: true;
  template?: string;
  label?: string[];
  labels?: string[];
  assignee?: string[];
  assignees?: string[];
  reviewer?: string[];
  reviewers?: string[];
}

export function addCreateCommand(mr: Command): void {
  mr.command("create")
    .description(
      "Propose a branch that is pushed; by default the one that is checked out, and in a clone of a fork to what it was forked from",
    )
    .option("-t, --title <text>", "title")
    .option("-d, --description <text>", "description, as Markdown")
    .option("--fill", "take title and description from the commits where they are not given")
    .option(
      "--template <name>",
      "a template of the repository: its labels, and its text where no description is given (default: the only one, without --fill)",
    )
    .option("--source <branch>", "branch with the changes (default: the one of this checkout)")
    .option("--head <owner:branch>", "branch of the fork of this owner, or OWNER/NAME:BRANCH")
    .option("--target <branch>", "branch that gets them (default: the default branch)")
    .option("--draft", "not ready to be merged yet")
    .addOption(new Option("--allow-edits", "of a fork: who may merge may push to the branch"))
    .addOption(new Option("--no-allow-edits", "of a fork: nobody else may push to the branch"))
    .addOption(namesOption("-l, --label <names...>", "labels"))
    .addOption(formerNamesOption("--labels <names...>"))
    .addOption(namesOption("-a, --assignee <users...>", "who takes care of it"))
    .addOption(formerNamesOption("--assignees <users...>"))
    .addOption(namesOption("-r, --reviewer <users...>", "who is asked for a review"))
    .addOption(formerNamesOption("--reviewers <users...>"))
    .action(create);
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  const { api, flags, print, repository } = await contextOf(command);
  if (options.source !== undefined && options.head !== undefined)
    throw new UsageError("give --source or --head, not both");
  const head = options.source ?? options.head ?? (await currentBranch());
  const isNamed = flags.repo !== undefined;
  const {
    target: path,
    branch: source,
    from,
  } = await proposalOf(api, { place: await repository(), isNamed, head });
  const texts = { source, target: options.target };
  const filled = options.fill ? await textsOf(api, from ?? path, texts) : undefined;
  const takesOnly = options.description === undefined && !options.fill;
  const template = await chooseTemplate(api, path, { named: options.template, takesOnly });
  const title = options.title ?? filled?.title;
  if (title === undefined) throw new UsageError("give --title, or --fill to take it from the commits");
  const { target, draft, allowEdits } = options;
  const people = {
    labels: bothOf(options.label, options.labels),
    assignees: bothOf(options.assignee, options.assignees),
    reviewers: bothOf(options.reviewer, options.reviewers),
  };
  const description = options.description ?? template?.body ?? filled?.description;
  const body = {
    title,
    source_branch: source,
    ...(from && { source_repo: `${from.owner}/${from.repo}` }),
    ...omitUndefined({ target_branch: target, description, template: template?.path }),
    ...omitUndefined({ draft, maintainer_can_modify: allowEdits, ...people }),
  };
  const made = await valueOf(api.POST("/repos/{owner}/{repo}/merge-requests", { params: { path }, body }));
  print(made, () => `opened !${made.number}: ${made.web_url}`);
}

const maxTitleChars = 255;

/** Those of a single commit; of several the name of the branch, and what each says in its first line. */
async function textsOf(
  api: ForgelineClient,
  path: RepositoryName,
  { source, target }: { source: string; target: string | undefined },
): Promise<{ title: string; description: string }> {
  const base =
    target ?? (await valueOf(api.GET("/repos/{owner}/{repo}", { params: { path } }))).default_branch;
  const params = { path: { ...path, basehead: `${base}...${source}` } };
  const { commits } = await valueOf(api.GET("/repos/{owner}/{repo}/compare/{basehead}", { params }));
  const messages = commits.map(({ message }) => message.trim()).toReversed();
  const [only = "", ...more] = messages;
  const subjectOf = (message: string) => message.split("\n", 1)[0]!.trim().slice(0, maxTitleChars);
  if (more.length === 0 && only !== "")
    return { title: subjectOf(only), description: only.slice(only.split("\n", 1)[0]!.length).trim() };
  const list = messages.map((message) => `- ${subjectOf(message)}`).join("\n");
  return { title: titleOf(source), description: list };
}

/** `fix/retry-uploads` → `Retry uploads`. */
function titleOf(branch: string): string {
  const words =
    branch
      .slice(branch.lastIndexOf("/") + 1)
      .replaceAll(/[-_]+/g, " ")
      .trim() || branch;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.slice(0, maxTitleChars);
}
