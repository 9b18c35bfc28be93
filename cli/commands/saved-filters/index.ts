/** `forgeline filter list|save|edit|delete`: queries kept under a name, for `issue list --filter` and `mr list --filter`. */
import { Command, Option } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { omitUndefined, requireChanges } from "../../options/omit-undefined.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { sameText } from "../labels/same-text.ts";
import { editShared, kindWords, listShared, removeShared, saveShared, sharedFilter } from "./shared.ts";

type SavedFilter = Schemas["SavedFilter"];
type Kind = SavedFilter["kind"];

interface Place {
  /** Of merge requests. */
  mr?: true;
  everywhere?: true;
  /** Of the repository, for all its readers. */
  shared?: true;
}

export function filterCommand(): Command {
  const filter = new Command("filter").description(
    "Saved filters for lists of issues and merge requests: yours, and those of repositories",
  );
  filter
    .command("list")
    .description("List your saved filters, of all repositories")
    .addOption(new Option("--shared", "those that the repository shares, instead"))
    .action(list);
  addPlace(filter.command("save <name> <query>"))
    .description("Save a query under a name, for the lists of a repository")
    .action(save);
  addPlace(filter.command("edit <name>"))
    .description("Rename a saved filter, or change its query")
    .option("--name <name>", "new name")
    .option("--query <query>", "new query")
    .action(edit);
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
    .addOption(new Option("--everywhere", "for the search in all repositories"))
    .addOption(new Option("--shared", "for everybody who may read the repository; takes Write"));
}

async function list({ shared }: { shared?: true }, command: Command): Promise<void> {
  const context = await contextOf(command);
  if (shared) return listShared(context);
  const { api, print } = context;
  const found = await everyPage((page) => api.GET("/user/filters", { params: { query: page } }));
  print(found, () =>
    renderList(
      "saved filters",
      ["NAME", "FOR", "IN", "QUERY"],
      found.map((each) => [each.name, kindWords[each.kind], each.repository?.full_name ?? "", each.query]),
    ),
  );
}

const kindOf = ({ mr }: Place): Kind => (mr ? "merge_request" : "issue");

async function save(name: string, query: string, place: Place, command: Command): Promise<void> {
  const context = await contextOf(command);
  if (place.shared) return saveShared(context, { name, query, kind: kindOf(place) }, place);
  const body = { name, query, kind: kindOf(place), ...(await repositoryOf(context, place)) };
  const made = await valueOf(context.api.POST("/user/filters", { body }));
  context.print(made, () => terminalSafe(`saved ${made.name}`));
}

interface Changes {
  name?: string;
  query?: string;
}

async function edit(
  name: string,
  { name: newName, query, ...place }: Place & Changes,
  command: Command,
): Promise<void> {
  const body = requireChanges(omitUndefined({ name: newName, query }), "--name or --query");
  const context = await contextOf(command);
  const kind = kindOf(place);
  if (place.shared) return editShared(context, { name, kind, body }, place);
  const { id } = await savedFilter(context, name, { kind, ...(await repositoryOf(context, place)) });
  const changed = await valueOf(context.api.PATCH("/user/filters/{id}", { params: { path: { id } }, body }));
  context.print(changed, () => terminalSafe(`changed ${changed.name}`));
}

async function remove(name: string, place: Place, command: Command): Promise<void> {
  const context = await contextOf(command);
  if (place.shared) return removeShared(context, { name, kind: kindOf(place) }, place);
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
  context: CliContext,
  name: string,
  place: { kind: Kind; repository?: string },
): Promise<SavedFilter> {
  const found = await findOwn(context, name, place);
  if (!found) throw new UsageError(`you have no filter ${name} here: \`forgeline filter list\` shows all`);
  return found;
}

async function findOwn(
  { api }: CliContext,
  name: string,
  place: { kind: Kind; repository?: string },
): Promise<SavedFilter | undefined> {
  const all = await everyPage((page) =>
    api.GET("/user/filters", { params: { query: { ...page, ...place } } }),
  );
  const here = all.filter(({ repository }) => (repository === null) === (place.repository === undefined));
  return sameText(here, name, (each) => each.name);
}

/** What a list is narrowed by: the query of a saved filter, one's own before that of the repository, and what was typed. */
export async function queryOf(
  context: CliContext,
  kind: Kind,
  { filter, search }: { filter?: string; search?: string },
): Promise<string | undefined> {
  if (filter === undefined) return search;
  const own = await findOwn(context, filter, { kind, ...(await repositoryOf(context, {})) });
  const { query } = own ?? (await sharedFilter(context, { name: filter, kind }));
  return search === undefined ? query : `${query} ${search}`;
}
