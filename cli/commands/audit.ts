/** `forgeline audit`: the audit log of an organization, or with `--instance` that of the instance. */
import { Command } from "commander";
import { valueOf } from "../connection/api.ts";
import { contextOf, type CliContext } from "../context.ts";
import { parseCount } from "../options/count.ts";
import {
  addFilterOptions,
  filtersOf,
  organizationOf,
  type Filters,
  type InstanceOption,
} from "../options/audit-filters.ts";
import { omitUndefined } from "../options/omit-undefined.ts";
import { addExamples } from "../output/examples.ts";
import { addExportCommands } from "./audit-exports.ts";
import { addStreamCommands } from "./audit-streams.ts";
import { renderList } from "../output/table.ts";

export function auditCommand(): Command {
  const audit = new Command("audit").description("Audit log of an organization, or of the instance");
  addFilterOptions(audit.command("list [org]"))
    .description("List entries, newest first")
    .option("--page <number>", "page, 100 entries each", parseCount, 1)
    .action(list);
  audit
    .command("verify [org]")
    .description("Prove that no entry was changed, added or removed")
    .option("--instance", "the instance's own entries, for administrators")
    .option("--limit <entries>", "entries checked per request; default and maximum 100000", parseCount)
    .action(verify);
  addExportCommands(audit);
  addStreamCommands(audit);
  addExamples(audit, [
    "forgeline audit list acme --action 'repo.*' --since 2026-11-01",
    "forgeline audit verify acme",
    "forgeline audit export acme --format csv --since 2026-11-01 -o november.csv",
    "forgeline audit stream set acme --to https://siem.example.com/forgeline --token-file token --from-seq 1",
  ]);
  return audit;
}

async function list(
  name: string | undefined,
  options: Filters & InstanceOption & { page: number },
  command: Command,
): Promise<void> {
  const org = organizationOf(name, options);
  const { api, print } = await contextOf(command);
  const query = { page: options.page, per_page: 100, ...filtersOf(options) };
  const entries = await valueOf(
    org === undefined
      ? api.GET("/admin/audit-log", { params: { query } })
      : api.GET("/orgs/{org}/audit-log", { params: { path: { org }, query } }),
  );
  const rows = entries.map((entry) => [
    entry.timestamp,
    entry.actor.username,
    entry.action,
    `${entry.target.type} ${entry.target.name}${placeIn(entry.details)}`,
    entry.actor.ip_address ?? "",
  ]);
  print(entries, () => renderList("entries", ["TIME", "ACTOR", "ACTION", "TARGET", "ADDRESS"], rows));
}

/** What in the target it is about: an environment of a repository, a stage or job of a run. */
function placeIn(details: Record<string, unknown>): string {
  const { stage, job, environment } = details;
  const named = { ...(job ? { job } : { stage }), environment };
  const parts = Object.entries(named).filter(([, name]) => typeof name === "string");
  return parts.length === 0 ? "" : ` (${parts.map(([kind, name]) => `${kind} ${String(name)}`).join(", ")})`;
}

/** Asks on until the proof has ended: a server answers for a part of a long log. */
async function prove({ api }: CliContext, org: string | undefined, limit: number | undefined) {
  for (let cursor: string | undefined; ;) {
    const query = omitUndefined({ cursor, limit });
    const part = await valueOf(
      org === undefined
        ? api.GET("/admin/audit-log/verify", { params: { query } })
        : api.GET("/orgs/{org}/audit-log/verify", { params: { path: { org }, query } }),
    );
    if (part.next === null) return part;
    cursor = part.next;
  }
}

async function verify(
  name: string | undefined,
  options: InstanceOption & { limit?: number },
  command: Command,
): Promise<void> {
  const context = await contextOf(command);
  const result = await prove(context, organizationOf(name, options), options.limit);
  const head = result.head === null ? "" : `, head ${result.head.seq} ${result.head.hash}`;
  context.print(result, () =>
    result.problem === null
      ? `valid: ${result.entries} entries${expiredOf(result)}${head}`
      : `NOT VALID: ${result.problem.message}`,
  );
  if (!result.valid) process.exitCode = 1;
}

function expiredOf({ expired }: { expired: number }): string {
  return expired === 0 ? "" : `, ${expired} of which have expired`;
}
