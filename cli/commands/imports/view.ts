/** `forgeline import list|view|report|cancel`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";
import { renderImport } from "./render.ts";

export function addViewCommands(imports: Command): void {
  imports
    .command("list")
    .description("List your imports, newest first")
    .option("--into <owner/name>", "those into this repository, which you administer")
    .action(list);
  imports.command("view <id>").description("Show how far an import is").action(view);
  imports
    .command("report <id>")
    .description("List what an import has left out or changed, and why")
    .action(report);
  imports.command("cancel <id>").description("Stop an import; what has come stays").action(cancel);
}

async function list({ into }: { into?: string }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const query = { per_page: 100, ...omitUndefined({ repository: into }) };
  const found = await valueOf(api.GET("/imports", { params: { query } }));
  print(found, () =>
    renderList(
      "imports",
      ["ID", "FROM", "TO", "STATE", "ERROR"],
      found.map((each) => [
        each.id,
        `${each.source} ${each.source_repository}`,
        each.repository,
        each.state,
        each.error ?? "",
      ]),
    ),
  );
}

async function view(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const found = await valueOf(api.GET("/imports/{id}", { params: { path: { id } } }));
  print(found, () => renderImport(found));
}

async function report(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const notes = await everyPage((query) =>
    api.GET("/imports/{id}/report", { params: { path: { id }, query } }),
  );
  print(notes, () =>
    renderList(
      "entries",
      ["KIND", "THERE", "WHAT"],
      notes.map(({ kind, source, reason }) => [kind, source, reason]),
    ),
  );
}

async function cancel(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const stopped = await valueOf(api.POST("/imports/{id}/cancel", { params: { path: { id } } }));
  print(stopped, () => renderImport(stopped));
}
