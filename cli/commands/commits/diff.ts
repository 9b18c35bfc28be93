/** `forgeline commit diff`: every file that a commit or a comparison changes. */
import { Option, type Command } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { changeLines } from "./change-lines.ts";

interface DiffOptions {
  stat?: true;
  nameOnly?: true;
  path?: string;
  ignoreWhitespace?: true;
}

type FileDiff = Schemas["FileDiff"];

export function addDiffCommand(commit: Command): void {
  commit
    .command("diff <range>")
    .description("Show what a commit changed, or BASE...HEAD; takes full ids, branches and tags")
    .addOption(new Option("--stat", "only count the lines of each file").conflicts("nameOnly"))
    .option("--name-only", "only the paths of the files")
    .option("--path <file>", "only this file")
    .option("-w, --ignore-whitespace", "compare lines without their spaces and tabs")
    .action(diff);
}

async function diff(range: string, options: DiffOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const place = { ...(await repository()), basehead: range };
  const { files, truncated } = await changesIn(api, place, options);
  const end = truncated ? [`There are more files than these ${files.length}.`] : [];
  print(files, () => [...shown(files, options), ...end].join("\n"));
}

interface Place {
  owner: string;
  repo: string;
  basehead: string;
}

async function changesIn(
  api: ForgelineClient,
  place: Place,
  options: DiffOptions,
): Promise<{ files: FileDiff[]; truncated: boolean }> {
  const whitespace = options.ignoreWhitespace ? "ignore" : "show";
  const alone = (path: string) => {
    const params = { path: place, query: { path, whitespace } as const };
    return valueOf(api.GET("/repos/{owner}/{repo}/patches/{basehead}", { params }));
  };
  if (options.path !== undefined) return { files: [await alone(options.path)], truncated: false };
  let truncated = false;
  const files = await everyPage(async (page) => {
    const params = { path: place, query: { ...page, whitespace } as const };
    const answer = await api.GET("/repos/{owner}/{repo}/changes/{basehead}", { params });
    truncated ||= answer.response.headers.has("x-files-truncated");
    return answer;
  });
  if (!options.stat && !options.nameOnly)
    for (const [index, file] of files.entries())
      if (file.patch_omitted === "too_large" && file.additions !== null)
        files[index] = await alone(file.path);
  return { files, truncated };
}

function shown(files: readonly FileDiff[], options: DiffOptions): string[] {
  if (options.nameOnly) return files.map(({ path }) => terminalSafe(path));
  if (!options.stat) return files.flatMap(changeLines).slice(1).map(terminalSafe);
  const rows = files.map(({ path, status, additions, deletions }) => [
    path,
    status,
    additions === null ? "" : `+${additions}`,
    deletions === null ? "" : `-${deletions}`,
  ]);
  return [renderList("changes", ["FILE", "STATUS", "ADDED", "DELETED"], rows)];
}
