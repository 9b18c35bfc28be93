/** `forgeline artifact list|files|delete`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { sizeOf } from "../../output/size.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { artifactsOf, findArtifact } from "./find-artifact.ts";

const one = "/repos/{owner}/{repo}/pipelines/{id}/artifacts/{artifact}";

export interface JobOption {
  job?: string;
}

export function addListCommands(artifact: Command): void {
  artifact
    .command("list <run>")
    .description("List the artifacts of a run, in the order of its jobs")
    .action(list);
  artifact
    .command("files <run> <artifact>")
    .description("List the files of an artifact")
    .option("--job <job>", "of this job, where several left one of this name")
    .action(listFiles);
  artifact
    .command("delete <run> <artifact>")
    .description("Remove an artifact before it expires")
    .option("--job <job>", "of this job, where several left one of this name")
    .action(remove);
}

async function list(id: string, _options: object, command: Command): Promise<void> {
  const context = await contextOf(command);
  const found = await artifactsOf(context, { ...(await context.repository()), id });
  context.print(found, () =>
    renderList(
      "artifacts",
      ["NAME", "JOB", "FILES", "SIZE", "EXPIRES", "ID"],
      found.map((each) => [
        each.name,
        each.job.label,
        String(each.files_count),
        sizeOf(each.size),
        each.expires_at,
        each.id,
      ]),
    ),
  );
}

async function listFiles(id: string, wanted: string, { job }: JobOption, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), id };
  const { id: artifact } = findArtifact(await artifactsOf(context, path), wanted, job);
  const files = await everyPage((query) =>
    context.api.GET(`${one}/files`, { params: { path: { ...path, artifact }, query } }),
  );
  context.print(files, () =>
    renderList(
      "files",
      ["PATH", "SIZE"],
      files.map((file) => [file.path, sizeOf(file.size)]),
    ),
  );
}

async function remove(id: string, wanted: string, { job }: JobOption, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), id };
  const found = findArtifact(await artifactsOf(context, path), wanted, job);
  await valueOf(context.api.DELETE(one, { params: { path: { ...path, artifact: found.id } } }));
  context.print({ deleted: found.id }, () => `${terminalSafe(found.name)} is deleted`);
}
