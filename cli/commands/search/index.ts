/** `forgeline search issues|merge-requests`: in all repositories that one may read. */
import { Command, Option } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";

type FoundItems = Schemas["FoundItems"];
interface SearchOptions {
  state?: "open" | "closed" | "merged" | "all";
  owner?: string;
  sort?: "created" | "updated" | "comments";
  limit: number;
}

export function searchCommand(): Command {
  const search = new Command("search").description("Search in all repositories that you may read");
  addSearch(
    search.command("issues <query>").description("Search issues: titles, texts and comments"),
    "issues",
  );
  addSearch(
    search
      .command("merge-requests <query>")
      .description("Search merge requests: titles, descriptions and comments"),
    "merge-requests",
  );
  addExamples(search, [
    "forgeline search issues 'crash is:open assignee:me'",
    "forgeline search issues '\"out of memory\" repo:acme/engine' --sort updated",
    "forgeline search merge-requests 'is:open review-requested:me'",
  ]);
  return search;
}

function addSearch(command: Command, what: "issues" | "merge-requests"): void {
  command
    .addOption(new Option("-s, --state <state>", "only these").choices(["open", "closed", "merged", "all"]))
    .option("--owner <name>", "only in repositories of this user or organization")
    .addOption(
      new Option("--sort <by>", "newest, last changed or most comments first").choices([
        "created",
        "updated",
        "comments",
      ]),
    )
    .option("-n, --limit <n>", "how many, at most 100", parseCount, 30)
    .action(async (words: string, options: SearchOptions, self: Command) => {
      const { api, print } = await contextOf(self);
      const { limit, ...filters } = options;
      const query = omitUndefined({ ...filters, q: words, per_page: limit });
      const found = await valueOf(
        what === "issues"
          ? api.GET("/search/issues", { params: { query } })
          : api.GET("/search/merge-requests", { params: { query } }),
      );
      print(found, () => render(found, what));
    });
}

function render({ items, total_count: total }: FoundItems, what: string): string {
  const mark = what === "issues" ? "#" : "!";
  const rows = items.map((each) => [
    `${each.repository.full_name}${mark}${each.number}`,
    each.title,
    each.labels.map(({ name }) => name).join(", "),
    each.author?.username ?? "",
    each.draft ? "draft" : each.state,
  ]);
  const list = renderList(what.replace("-", " "), ["NUMBER", "TITLE", "LABELS", "AUTHOR", "STATE"], rows);
  return total > items.length ? `${list}\n${items.length} of ${total}` : list;
}
