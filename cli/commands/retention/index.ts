/** `forgeline retention show|set`: how long a repository, or all of an organization, keep runs and what belongs to them. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList } from "../../output/table.ts";

type Days = Schemas["RetentionDays"];

const kinds = ["runs", "logs", "artifacts", "caches", "reports"] as const;
type Kind = (typeof kinds)[number];
type SetOptions = Partial<Record<Kind, string>> & { org?: string };

export function retentionCommand(): Command {
  const retention = new Command("retention").description("How long runs and what belongs to them are kept");
  const org = ["--org <organization>", "of all repositories of an organization instead"] as const;
  retention
    .command("show")
    .option(...org)
    .description("Show what is set, and what holds")
    .action(show);
  const set = retention.command("set").option(...org);
  for (const kind of kinds)
    set.option(`--${kind} <days>`, `days for which ${kind} are kept, or "none" for no rule here`);
  set.description("Change it; what is not named stays as it is").action(change);
  addExamples(retention, [
    "forgeline retention show",
    "forgeline retention set --logs 30 --artifacts 14",
    "forgeline retention set --runs 365 --caches none --org acme",
  ]);
  return retention;
}

/** The operations of a repository or an organization, which take and answer the same. */
async function ownedBy(command: Command, org: string | undefined) {
  const context = await contextOf(command);
  if (org !== undefined) {
    const params = { path: { org } };
    return {
      ...context,
      ofOwner: `of ${org}`,
      read: () => valueOf(context.api.GET("/orgs/{org}/retention", { params })),
      write: (body: Days) => valueOf(context.api.PUT("/orgs/{org}/retention", { params, body })),
    };
  }
  const path = await context.repository();
  const params = { path };
  return {
    ...context,
    ofOwner: `of ${path.owner}/${path.repo}`,
    read: () => valueOf(context.api.GET("/repos/{owner}/{repo}/retention", { params })),
    write: (body: Days) => valueOf(context.api.PUT("/repos/{owner}/{repo}/retention", { params, body })),
  };
}

async function show({ org }: { org?: string }, command: Command): Promise<void> {
  const { print, read } = await ownedBy(command, org);
  const found = await read();
  print(found, () =>
    renderList(
      "rules",
      ["KIND", "SET", "HOLDS"],
      kinds.map((kind) => [
        kind,
        inDays(found[`${kind}_days`], "-"),
        inDays(found.effective[`${kind}_days`], withoutRule(kind)),
      ]),
    ),
  );
}

async function change({ org, ...given }: SetOptions, command: Command): Promise<void> {
  const wanted = kinds.flatMap((kind) => {
    const text = given[kind];
    return text === undefined ? [] : [[`${kind}_days`, daysOf(kind, text)] as const];
  });
  if (wanted.length === 0)
    throw new UsageError(`name what to change: ${kinds.map((kind) => `--${kind}`).join(", ")}`);
  const { print, ofOwner, read, write } = await ownedBy(command, org);
  const { effective: _, updated_at: __, ...present } = await read();
  const made = await write({ ...present, ...Object.fromEntries(wanted) });
  print(made, () => `The retention ${ofOwner} is set`);
}

function daysOf(kind: Kind, text: string): number | null {
  if (text === "none") return null;
  if (!/^[0-9]{1,9}$/.test(text)) throw new UsageError(`--${kind} must be a number of days, or "none"`);
  return Number(text);
}

function withoutRule(kind: Kind): string {
  return kind === "artifacts" ? "as the pipeline file says (30 days if it says nothing)" : "for ever";
}

function inDays(days: number | null, otherwise: string): string {
  if (days === null) return otherwise;
  return days === 1 ? "1 day" : `${days} days`;
}
