/** `forgeline issue list`. */
import { Option, type Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { collect } from "../../options/collect.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";
import { queryOf } from "../saved-filters/index.ts";
import { stateOf, type Issue } from "./show.ts";

interface ListOptions {
  state: Issue["state"] | "all";
  label?: string[];
  author?: string;
  assignee?: string;
  milestone?: string;
  search?: string;
  filter?: string;
  overdue?: true;
  sort: "created" | "updated" | "comments";
  limit: number;
}

export function addListCommand(issue: Command): void {
  issue
    .command("list")
    .description("List issues, newest first")
    .addOption(
      new Option("-s, --state <state>", "only these").choices(["open", "closed", "all"]).default("open"),
    )
    .option("-l, --label <names>", "only those that have all of these labels", collect)
    .option("--author <user>", "only those of this user")
    .option("--assignee <user>", "only those assigned to this user; `none`: to nobody")
    .option("--milestone <title>", "only those of this milestone; `none`: of none")
    .addOption(new Option("--overdue", "only open ones whose due date is over"))
    .option("--search <query>", "only those that this query finds: words, and qualifiers such as no:label")
    .option("--filter <name>", "as a filter says that you have saved")
    .addOption(
      new Option("--sort <by>", "newest, last changed or most comments first")
        .choices(["created", "updated", "comments"])
        .default("created"),
    )
    .option("-n, --limit <n>", "how many, at most 100", parseCount, 30)
    .action(list);
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { api, print, repository } = context;
  const { label, search, filter, overdue, limit, ...filters } = options;
  const asked = await queryOf(context, "issue", omitUndefined({ filter, search }));
  const q = overdue ? ["is:overdue", asked ?? ""].join(" ").trim() : asked;
  const query = omitUndefined({ ...filters, labels: label?.join(","), q, per_page: limit });
  const params = { path: await repository(), query };
  const found = await valueOf(api.GET("/repos/{owner}/{repo}/issues", { params }));
  const rows = found.map((each) => [
    `#${each.number}`,
    each.title,
    each.labels.map(({ name }) => name).join(", "),
    each.author?.username ?? "",
    stateOf(each),
  ]);
  print(found, () => renderList("issues", ["NUMBER", "TITLE", "LABELS", "AUTHOR", "STATE"], rows));
}
