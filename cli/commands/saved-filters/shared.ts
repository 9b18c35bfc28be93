/** `forgeline filter … --shared`: filters that a repository shares with its readers. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import type { CliContext } from "../../context.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { sameText } from "../labels/same-text.ts";

type SharedFilter = Schemas["SharedFilter"];
type Kind = SharedFilter["kind"];
interface Named {
  name: string;
  kind: Kind;
}
/** A repository shares filters for its own lists alone. */
interface Place {
  everywhere?: true;
}

const all = "/repos/{owner}/{repo}/filters";
export const kindWords: Readonly<Record<Kind, string>> = { issue: "issues", merge_request: "merge requests" };

async function everyShared({ api, repository }: CliContext, kind?: Kind): Promise<SharedFilter[]> {
  const path = await repository();
  const narrowed = kind === undefined ? {} : { kind };
  return everyPage((page) => api.GET(all, { params: { path, query: { ...page, ...narrowed } } }));
}

export async function listShared(context: CliContext): Promise<void> {
  const found = await everyShared(context);
  const rows = found.map(({ name, kind, query }) => [name, kindWords[kind], query]);
  context.print(found, () => renderList("shared filters", ["NAME", "FOR", "QUERY"], rows));
}

export async function saveShared(
  context: CliContext,
  body: Named & { query: string },
  place: Place,
): Promise<void> {
  refuseEverywhere(place);
  const params = { path: await context.repository() };
  const made = await valueOf(context.api.POST(all, { params, body }));
  context.print(made, () => terminalSafe(`shared ${made.name}`));
}

export async function editShared(
  context: CliContext,
  { body, ...named }: Named & { body: Schemas["SharedFilterUpdate"] },
  place: Place,
): Promise<void> {
  refuseEverywhere(place);
  const { id } = await sharedFilter(context, named);
  const path = { ...(await context.repository()), id };
  const changed = await valueOf(context.api.PATCH(`${all}/{id}`, { params: { path }, body }));
  context.print(changed, () => terminalSafe(`changed ${changed.name}`));
}

export async function removeShared(context: CliContext, named: Named, place: Place): Promise<void> {
  refuseEverywhere(place);
  const { id, name } = await sharedFilter(context, named);
  const path = { ...(await context.repository()), id };
  await valueOf(context.api.DELETE(`${all}/{id}`, { params: { path } }));
  context.print({ deleted: name }, () => terminalSafe(`deleted ${name}`));
}

/** Throws `UsageError` where there is none of this name. */
export async function sharedFilter(context: CliContext, { name, kind }: Named): Promise<SharedFilter> {
  const found = sameText(await everyShared(context, kind), name, (each) => each.name);
  if (found) return found;
  throw new UsageError(
    `there is no filter ${name} here: \`forgeline filter list\` shows yours, with --shared those of the repository`,
  );
}

function refuseEverywhere({ everywhere }: Place): void {
  if (everywhere) throw new UsageError("--shared is for one repository: leave out --everywhere");
}
