/** `forgeline commit compare`: how far two commits are apart, also of a repository and a fork. */
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

interface CompareOptions {
  headRepo?: string;
  conflicts?: true;
}

export function addCompareCommand(commit: Command): void {
  commit
    .command("compare <range>")
    .description("Show what BASE...HEAD are apart: commits that only one has, and where they conflict")
    .option("--head-repo <repo>", "OWNER/NAME of the fork that HEAD is in")
    .addOption(new Option("--conflicts", "say too which files could not be merged"))
    .action(compare);
}

async function compare(
  range: string,
  { headRepo, conflicts }: CompareOptions,
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), basehead: range };
  const query = {
    ...omitUndefined({ head_repo: headRepo }),
    ...(conflicts ? ({ conflicts: "true" } as const) : {}),
  };
  const found = await valueOf(
    api.GET("/repos/{owner}/{repo}/compare/{basehead}", { params: { path, query } }),
  );
  print(found, () => lines(found).map(terminalSafe).join("\n"));
}

function lines({ ahead_by: ahead, behind_by: behind, commits, conflicts }: Schemas["Comparison"]): string[] {
  return [
    `${ahead} ahead, ${behind} behind`,
    ...commits.map(({ sha, message }) => `${sha.slice(0, 8)} ${message.split("\n")[0] ?? ""}`),
    ...(conflicts ?? []).map((path) => `conflict: ${path}`),
  ];
}
