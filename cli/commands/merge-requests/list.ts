/** `forgeline mr list`. */
import { Option, type Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { bothOf, formerNamesOption, namesOption } from "../../options/names-option.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";
import { queryOf } from "../saved-filters/index.ts";
import { mergeRequestStates } from "@forgeline/client/generated/choices.ts";
import { sourceName } from "./source.ts";
import { standingInList, type MergeRequest } from "./show.ts";

interface ListOptions {
  state: MergeRequest["state"] | "all";
  author?: string;
  assignee?: string;
  label?: string[];
  labels?: string[];
  source?: string;
  target?: string;
  search?: string;
  filter?: string;
  limit: number;
}

export function addListCommand(mr: Command): void {
  mr.command("list")
    .description("List merge requests, newest first")
    .addOption(
      new Option("-s, --state <state>", "only these").choices([...mergeRequestStates, "all"]).default("open"),
    )
    .option("--author <user>", "only those of this user")
    .option("--assignee <user>", "only those assigned to this user; `none`: to nobody")
    .addOption(namesOption("-l, --label <names...>", "only those that have all of these labels"))
    .addOption(formerNamesOption("--labels <names...>"))
    .option("--source <branch>", "only those from this branch")
    .option("--target <branch>", "only those into this branch")
    .option("--search <query>", "only those that this query finds: words, and qualifiers such as is:draft")
    .option("--filter <name>", "as a filter says that you have saved")
    .option("-n, --limit <n>", "how many, at most 100", parseCount, 30)
    .action(list);
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { api, print, repository } = context;
  const { state, author, assignee, source, target, search, filter, limit } = options;
  const q = await queryOf(context, "merge_request", omitUndefined({ filter, search }));
  const query = omitUndefined({
    state,
    author,
    assignee,
    labels: bothOf(options.label, options.labels)?.join(","),
    source_branch: source,
    target_branch: target,
    q,
    per_page: limit,
  });
  const params = { path: await repository(), query };
  const found = await valueOf(api.GET("/repos/{owner}/{repo}/merge-requests", { params }));
  const rows = found.map((each) => [
    `!${each.number}`,
    each.title,
    `${sourceName(each)} → ${each.target_branch}`,
    each.author?.username ?? "",
    standingInList(each),
  ]);
  print(found, () =>
    renderList("merge requests", ["NUMBER", "TITLE", "BRANCHES", "AUTHOR", "STANDING"], rows),
  );
}
