/** `forgeline cache`: files that jobs keep for later runs. */
import { Command, Option } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { addExamples } from "../../output/examples.ts";
import { sizeOf } from "../../output/size.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";

const all = "/repos/{owner}/{repo}/caches";

export function cacheCommand(): Command {
  const cache = new Command("cache").description("Caches: files that jobs keep for later runs");
  cache
    .command("list")
    .description("List the caches of a repository, the last used first")
    .option("--prefix <text>", "only those whose key begins so")
    .addOption(
      new Option("--run <run>", "what the jobs of this run did with their caches").conflicts("prefix"),
    )
    .action(list);
  cache
    .command("delete [id]")
    .description("Remove one cache, those whose key begins with a text, or all")
    .option("--prefix <text>", "all whose key begins so")
    .option("--all", "all of the repository")
    .action(remove);
  addExamples(cache, [
    "forgeline cache list --prefix npm-",
    "forgeline cache list --run 12",
    "forgeline cache delete --prefix npm-",
    "forgeline cache delete --all",
  ]);
  return cache;
}

interface Chosen {
  prefix?: string;
  all?: boolean;
  run?: string;
}

async function list({ prefix, run }: Chosen, command: Command): Promise<void> {
  const context = await contextOf(command);
  if (run !== undefined) return listUses(context, run);
  const path = await context.repository();
  const begin = prefix === undefined ? {} : { key_prefix: prefix };
  const found = await everyPage((query) =>
    context.api.GET(all, { params: { path, query: { ...query, ...begin } } }),
  );
  context.print(found, () =>
    renderList(
      "caches",
      ["KEY", "FOR", "SIZE", "LAST USED", "PATHS", "ID"],
      found.map((each) => [
        each.key,
        scopeOf(each),
        sizeOf(each.size),
        each.last_used_at,
        each.paths.join(" "),
        each.id,
      ]),
    ),
  );
}

async function listUses(context: CliContext, id: string): Promise<void> {
  const path = { ...(await context.repository()), id };
  const found = await everyPage((query) =>
    context.api.GET("/repos/{owner}/{repo}/pipelines/{id}/caches", { params: { path, query } }),
  );
  context.print(found, () =>
    renderList(
      "caches",
      ["JOB", "KEY", "RESTORED", "SAVED"],
      found.map(({ job, key, restored, saved }) => [
        job.label,
        key,
        restored ? `${restored.key}, ${sizeOf(restored.size)}` : "nothing",
        saved ? sizeOf(saved.size) : "nothing",
      ]),
    ),
  );
}

function scopeOf({ scope, ref }: Schemas["Cache"]): string {
  if (ref === null) return "all branches";
  return `${scope} ${ref.replace(/^refs\/(heads|tags)\//, "")}`;
}

async function remove(id: string | undefined, options: Chosen, command: Command): Promise<void> {
  const { prefix } = options;
  const ways = [id, prefix, options.all].filter((way) => way !== undefined);
  if (ways.length !== 1) throw new UsageError("say what to delete: the id of a cache, --prefix or --all");
  const context = await contextOf(command);
  const path = await context.repository();
  if (id !== undefined) {
    await valueOf(context.api.DELETE(`${all}/{id}`, { params: { path: { ...path, id } } }));
    return context.print({ deleted: id }, () => `${terminalSafe(id)} is deleted`);
  }
  const query = prefix === undefined ? {} : { key_prefix: prefix };
  await valueOf(context.api.DELETE(all, { params: { path, query } }));
  context.print({ deleted: prefix ?? null }, () =>
    prefix === undefined
      ? "All caches are deleted"
      : `All caches whose key begins with ${terminalSafe(prefix)} are deleted`,
  );
}
