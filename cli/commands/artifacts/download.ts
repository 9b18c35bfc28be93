/** `forgeline artifact download`. */
import type { Command } from "commander";
import { openResumed } from "../../connection/resumed-stream.ts";
import { contextOf } from "../../context.ts";
import { requireWritable } from "../../options/writable-file.ts";
import { saveChecked } from "../../output/save-checked.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { artifactsOf, findArtifact } from "./find-artifact.ts";
import type { JobOption } from "./list.ts";

interface DownloadOptions extends JobOption {
  file?: string;
  output?: string;
}

export function addDownloadCommand(artifact: Command): void {
  artifact
    .command("download <run> <artifact>")
    .description("Save an artifact as a ZIP file and check its SHA-256, or save one of its files")
    .option("--job <job>", "of this job, where several left one of this name")
    .option("--file <path>", "only this file of the artifact")
    .option("-o, --output <file>", "where to (default: its name, in this directory); - for standard output")
    .action(download);
}

async function download(
  id: string,
  wanted: string,
  { job, file, output }: DownloadOptions,
  command: Command,
): Promise<void> {
  const context = await contextOf(command);
  const repository = await context.repository();
  const found = findArtifact(await artifactsOf(context, { ...repository, id }), wanted, job);
  const target = output ?? (file === undefined ? `${found.name}.zip` : baseName(file));
  if (target !== "-") await requireWritable(target);
  const base = ["repos", repository.owner, repository.repo, "pipelines", id, "artifacts", found.id];
  const parts = file === undefined ? [...base, "zip"] : [...base, "files", ...file.split("/")];
  const path = `/${parts.map(encodeURIComponent).join("/")}`;
  const absent =
    file === undefined ? "the artifact was removed" : `${found.name} has no file ${terminalSafe(file)}`;
  const content = await openResumed(context.connection, { path, accept: "*/*" }, absent);
  const sha256 = file === undefined ? found.sha256 : null;
  await saveChecked(content, { file: target, sha256, mode: 0o666 });
  if (target === "-") return;
  context.print({ ...found, file: target }, () => `${terminalSafe(target)} is saved`);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
