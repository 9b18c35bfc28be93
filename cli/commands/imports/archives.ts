/** `forgeline import archives|delete-archive`: exports that were uploaded, and the upload of one. */
import { constants, openAsBlob } from "node:fs";
import { access } from "node:fs/promises";
import { basename } from "node:path";
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { sizeOf } from "../../output/size.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

export function addArchiveCommands(imports: Command): void {
  imports.command("archives").description("List exports that you uploaded, newest first").action(list);
  imports
    .command("delete-archive <id>")
    .description("Remove an export that you uploaded; an import of it cannot go on then")
    .action(remove);
}

/** Calls `use` with the id of the uploaded archive, which stays only if that works. Throws `UsageError` for a file that cannot be read. */
export async function withArchive<T>(
  context: CliContext,
  file: string,
  use: (id: string) => Promise<T>,
): Promise<T> {
  const id = await upload(context, file);
  try {
    return await use(id);
  } catch (error) {
    await context.api.DELETE("/imports/archives/{id}", { params: { path: { id } } });
    throw error;
  }
}

async function upload({ api }: CliContext, file: string): Promise<string> {
  const bytes = await read(file);
  const made = await valueOf(
    api.POST("/imports/archives", {
      params: { query: { name: basename(file) } },
      headers: { "Content-Type": "application/octet-stream" },
      // The contract calls bytes a string, as OpenAPI does.
      body: bytes as unknown as string,
      bodySerializer: (body) => body,
    }),
  );
  return made.id;
}

async function read(file: string): Promise<Blob> {
  try {
    await access(file, constants.R_OK);
    return await openAsBlob(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const found = await valueOf(api.GET("/imports/archives"));
  print(found, () =>
    renderList(
      "archives",
      ["ID", "NAME", "SIZE", "REMOVED"],
      found.map(({ id, name, size_bytes: size, expires_at: at }) => [id, name, sizeOf(size), at]),
    ),
  );
}

async function remove(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/imports/archives/{id}", { params: { path: { id } } }));
  print({ deleted: id }, () => terminalSafe(`deleted ${id}`));
}
