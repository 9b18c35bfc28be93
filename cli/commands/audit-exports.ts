/** `forgeline audit export|exports|delete-export`: files with entries of an audit log. */
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../connection/api.ts";
import { openStream } from "../connection/stream.ts";
import { contextOf, type CliContext } from "../context.ts";
import {
  addFilterOptions,
  filtersOf,
  organizationOf,
  type Filters,
  type InstanceOption,
} from "../options/audit-filters.ts";
import { requireWritable } from "../options/writable-file.ts";
import { saveChecked } from "../output/save-checked.ts";
import { sizeOf } from "../output/size.ts";
import { renderList } from "../output/table.ts";
import { terminalSafe } from "../output/terminal-safe.ts";

type Export = Schemas["AuditExport"];

const ofOrganization = "/orgs/{org}/audit-log/exports";
const ofInstance = "/admin/audit-log/exports";
const lookEveryMs = 500;

export function addExportCommands(audit: Command): void {
  addFilterOptions(audit.command("export [org]"))
    .description("Write entries to a file, oldest first, and check its SHA-256")
    .addOption(
      new Option("--format <format>", "format of the file")
        .choices(["csv", "jsonl", "json"])
        .default("jsonl"),
    )
    .option(
      "-o, --output <file>",
      "where to (default: the name that the server gives); - for standard output",
    )
    .action(exportLog);
  audit
    .command("exports [org]")
    .description("List exports, newest first")
    .option("--instance", "of the instance's own log, for administrators")
    .action(list);
  audit
    .command("delete-export <id> [org]")
    .description("Stop an export, and remove its file")
    .option("--instance", "of the instance's own log, for administrators")
    .action(remove);
}

interface ExportOptions extends Filters, InstanceOption {
  format: Export["format"];
  output?: string;
}

async function exportLog(name: string | undefined, options: ExportOptions, command: Command): Promise<void> {
  const org = organizationOf(name, options);
  if (options.output !== "-") await requireWritable(options.output ?? `audit-log.${options.format}`);
  const context = await contextOf(command);
  const body = { format: options.format, ...filtersOf(options) };
  const asked = await valueOf(
    org === undefined
      ? context.api.POST(ofInstance, { body })
      : context.api.POST(ofOrganization, { params: { path: { org } }, body }),
  );
  const made = await untilEnded(context, org, asked);
  if (made.status !== "done") throw new Error(`the export has failed: ${made.error ?? "no reason is known"}`);
  const file = options.output ?? `audit-log-${org ?? "instance"}-${made.id}.${made.format}`;
  await saveChecked(await open(context, made), { file, sha256: made.sha256 ?? "", mode: 0o600 });
  if (file === "-") return;
  const told = { ...made, file };
  context.print(
    told,
    () => `${terminalSafe(file)}: ${made.rows} entries, ${sizeOf(made.bytes ?? 0)}, SHA-256 ${made.sha256}`,
  );
}

async function untilEnded({ api }: CliContext, org: string | undefined, asked: Export): Promise<Export> {
  for (let made = asked; ; await sleep(lookEveryMs)) {
    if (made.status === "done" || made.status === "failed") return made;
    const { id } = made;
    made = await valueOf(
      org === undefined
        ? api.GET(`${ofInstance}/{id}`, { params: { path: { id } } })
        : api.GET(`${ofOrganization}/{id}`, { params: { path: { org, id } } }),
    );
  }
}

/** Its address needs no token, but is on the server that we are connected to. */
function open({ connection }: CliContext, { id, download_url: url }: Export): Promise<Readable> {
  const query = Object.fromEntries(new URL(url ?? "").searchParams);
  const request = { path: `/audit-log/exports/${id}/file`, query, accept: "*/*" };
  return openStream(connection, request, "the file was removed");
}

async function list(name: string | undefined, options: InstanceOption, command: Command): Promise<void> {
  const org = organizationOf(name, options);
  const { api, print } = await contextOf(command);
  const query = { per_page: 100 };
  const found = await valueOf(
    org === undefined
      ? api.GET(ofInstance, { params: { query } })
      : api.GET(ofOrganization, { params: { path: { org }, query } }),
  );
  print(found, () =>
    renderList(
      "exports",
      ["ID", "REQUESTED", "BY", "FORMAT", "STATUS", "ENTRIES", "SIZE"],
      found.map((made) => [
        made.id,
        made.created_at,
        made.requested_by ?? "",
        made.format,
        made.error === null ? made.status : `${made.status}: ${made.error}`,
        String(made.rows),
        made.bytes === null ? "" : sizeOf(made.bytes),
      ]),
    ),
  );
}

async function remove(
  id: string,
  name: string | undefined,
  options: InstanceOption,
  command: Command,
): Promise<void> {
  const org = organizationOf(name, options);
  const { api, print } = await contextOf(command);
  await valueOf(
    org === undefined
      ? api.DELETE(`${ofInstance}/{id}`, { params: { path: { id } } })
      : api.DELETE(`${ofOrganization}/{id}`, { params: { path: { org, id } } }),
  );
  print({ deleted: id }, () => `${terminalSafe(id)} is deleted`);
}
