/** `forgeline commit`: history as the server has it. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { changeLines } from "./change-lines.ts";
import { addCompareCommand } from "./compare.ts";
import { addDiffCommand } from "./diff.ts";

interface ListOptions {
  ref?: string;
  path?: string;
  author?: string;
  since?: string;
  until?: string;
  limit: number;
}

export function commitCommand(): Command {
  const commit = new Command("commit").description("Commits on the server");
  commit
    .command("list")
    .description("List the newest commits of a branch, tag or commit")
    .option("--ref <ref>", "branch, tag or full commit id (default: the default branch)")
    .option("--path <path>", "only commits that changed this file or directory")
    .option("--author <text>", "only commits with this text in the author's name or address")
    .option("--since <time>", "only commits from this time on")
    .option("--until <time>", "only commits up to this time")
    .option("-n, --limit <count>", "number of results, at most 100", parseCount, 20)
    .action(list);
  commit
    .command("view <commit>")
    .description("Show a commit and its changes; takes a full id, a branch or a tag")
    .action(view);
  addDiffCommand(commit);
  addCompareCommand(commit);
  return commit;
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const { limit, ref, path, author, since, until } = options;
  const query = { per_page: limit, ...omitUndefined({ ref, path, author, since, until }) };
  const params = { path: await repository(), query };
  const commits = await valueOf(api.GET("/repos/{owner}/{repo}/commits", { params }));
  const rows = commits.map((c) => [
    c.sha.slice(0, 8),
    c.created_at,
    c.author.username ?? c.author.name,
    c.message.split("\n")[0]?.slice(0, 60) ?? "",
  ]);
  print(commits, () => renderList("commits", ["COMMIT", "TIME", "AUTHOR", "MESSAGE"], rows));
}

async function view(sha: string, _options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), sha } };
  const commit = await valueOf(api.GET("/repos/{owner}/{repo}/commits/{sha}", { params }));
  print(commit, () => describe(commit));
}

function describe(commit: Schemas["CommitWithFiles"]): string {
  const { author } = commit;
  const lines = [
    `commit ${commit.sha}`,
    `Author: ${author.name} <${author.email}>`,
    `Date:   ${author.date}`,
    "",
    ...commit.message
      .trimEnd()
      .split("\n")
      .map((line) => `    ${line}`),
    ...commit.files.flatMap(changeLines),
    ...(commit.files_truncated ? ["", "There are more files than are shown."] : []),
  ];
  return lines.map(terminalSafe).join("\n");
}
