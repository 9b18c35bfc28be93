/** `forgeline attachment upload|delete`: files for texts of issues, merge requests, comments and discussions. */
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { addExamples } from "../../output/examples.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

/** More than any instance is likely to take, and little enough to hold. */
const maxBytes = 1024 ** 3;

export function attachmentCommand(): Command {
  const attachment = new Command("attachment").description(
    "Files for texts of issues, merge requests, comments and discussions",
  );
  attachment
    .command("upload <file>")
    .description("Upload a file and print the Markdown that shows it in a text")
    .option("--team <team>", "for a discussion of this team, ORG/TEAM, not for a repository")
    .action(upload);
  attachment
    .command("delete <address>")
    .description("Delete an attachment by its address; texts that mention it lead nowhere then")
    .action(remove);
  addExamples(attachment, [
    "forgeline attachment upload screenshot.png --repo acme/api",
    "forgeline attachment upload plan.pdf --team acme/backend",
  ]);
  return attachment;
}

async function upload(file: string, { team }: { team?: string }, command: Command): Promise<void> {
  const body = await readBytes(file);
  const { api, print, repository } = await contextOf(command);
  const place = team === undefined ? { repo: nameOf(await repository()) } : { team };
  const made = await valueOf(
    api.POST("/attachments", {
      params: { query: { ...place, name: basename(file) } },
      headers: { "Content-Type": "application/octet-stream" },
      // The contract calls bytes a string, as OpenAPI does.
      body: body as unknown as string,
      bodySerializer: (bytes) => bytes,
    }),
  );
  print(made, () => terminalSafe(made.markdown));
}

/** `…/attachments/ID/NAME`, as the text has it. */
async function remove(address: string, _options: object, command: Command): Promise<void> {
  const [, id = "", name = ""] = /\/attachments\/([^/]+)\/([^/?#]+)$/.exec(address) ?? [];
  if (id === "") throw new UsageError("give the address of the attachment, as it stands in the text");
  const { api, print } = await contextOf(command);
  const path = { id, name: decodeURIComponent(name) };
  await valueOf(api.DELETE("/attachments/{id}/{name}", { params: { path } }));
  print({ deleted: id }, () => terminalSafe(`deleted ${path.name}`));
}

function nameOf({ owner, repo }: { owner: string; repo: string }): string {
  return `${owner}/${repo}`;
}

/** Throws `UsageError` for what cannot be read. */
async function readBytes(file: string): Promise<Buffer> {
  try {
    if ((await stat(file)).size <= maxBytes) return await readFile(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  throw new UsageError(`${file} is too large for an attachment`);
}
