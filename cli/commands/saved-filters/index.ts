/** `forgeline filter list|save|delete`: queries kept under a name, for `issue list --filter` and `mr list --filter`. */
import { Command, Option } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { sameText } from "../labels/same-text.ts";

type SavedFilter = Schemas["SavedFilter"];
type Kind = SavedFilter["kind"];

interface Place {
  /** Of merge requests. */
  mr?: true;
  everywhere?: true;
}

export function filterCommand(): Command {
  const filter = new Command("filter").description(
    "Your saved filters for lists of issues and merge requests",
  );
  filter.command("list").description("List your saved filters, of all repositories").action(list);
  addPlace(filter.command("save <name> <query>"))
    .description("Save a query under a name, for the lists of a repository")
    .action(save);
  addPlace(filter.command("delete <name>")).description("Delete a saved filter").action(remove);
  addExamples(filter, [
    "forgeline filter save 'Open bugs' 'is:open label:bug'",
    "forgeline issue list --filter 'Open bugs'",
  ]);
  return filter;
}

function addPlace(command: Command): Command {
  return command
    .addOption(new Option("--mr", "for merge requests, not for issues"))
    .addOption(new Option("--everywhere", "for the search in all repositories"));
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const found = await everyPage((page) => api.GET("/user/filters", { params: { query: page } }));
  print(found, () =>
    renderList(
      "saved filters",
      ["NAME", "FOR", "IN", "QUERY"],
      found.map((each) => [each.name, words[each.kind], each.repository?.full_name ?? "", each.query]),
    ),
  );
}

const words: Readonly<Record<Kind, string>> = { issue: "issues", merge_request: "merge requests" };
const kindOf = ({ mr }: Place): Kind => (mr ? "merge_request" : "issue");

async function save(name: string, query: string, place: Place, command: Command): Promise<void> {
  const context = await contextOf(command);
  const body = { name, query, kind: kindOf(place), ...(await repositoryOf(context, place)) };
  const made = await valueOf(context.api.POST("/user/filters", { body }));
  context.print(made, () => terminalSafe(`saved ${made.name}`));
}

async function remove(name: string, place: Place, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { id } = await savedFilter(context, name, {
    kind: kindOf(place),
    ...(await repositoryOf(context, place)),
  });
  await valueOf(context.api.DELETE("/user/filters/{id}", { params: { path: { id } } }));
  context.print({ deleted: name }, () => terminalSafe(`deleted ${name}`));
}

async function repositoryOf(context: CliContext, { everywhere }: Place): Promise<{ repository?: string }> {
  if (everywhere) return {};
  const { owner, repo } = await context.repository();
  return { repository: `${owner}/${repo}` };
}

/** Throws `UsageError` where there is none of this name. */
async function savedFilter(
  { api }: CliContext,
  name: string,
  place: { kind: Kind; repository?: string },
): Promise<SavedFilter> {
  const all = await everyPage((page) =>
    api.GET("/user/filters", { params: { query: { ...page, ...place } } }),
  );
  const here = all.filter(({ repository }) => (repository === null) === (place.repository === undefined));
  const found = sameText(here, name, (each) => each.name);
  if (!found) throw new UsageError(`you have no filter ${name} here: \`forgeline filter list\` shows all`);
  return found;
}

/** What a list is narrowed by: the query of a saved filter, and what was typed. */
export async function queryOf(
  context: CliContext,
  kind: Kind,
  { filter, search }: { filter?: string; search?: string },
): Promise<string | undefined> {
  if (filter === undefined) return search;
  const { query } = await savedFilter(context, filter, { kind, ...(await repositoryOf(context, {})) });
  return search === undefined ? query : `${query} ${search}`;
}
