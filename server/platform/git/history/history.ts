/** The commits that a commit reaches, filtered. Requests name full commit ids, so answers never change. */
import { queryTimeoutMs, readRecords } from "../processes/read-records.ts";
import type { GitStart, RunGit, StartGit } from "../processes/run-git.ts";

export interface HistoryQuery {
  /** Full commit id. */
  sha: string;
  /** Commits that this one reaches, or one of these, are left out. */
  without?: string | readonly string[];
  path?: string;
  /** Part of name or e-mail address, without case; no expression. */
  author?: string;
  /** Seconds since 1970. */
  since?: number;
  until?: number;
}

function historyStart(directory: string, options: readonly string[], query: HistoryQuery): GitStart {
  const filters = [
    ...(query.author === undefined
      ? []
      : ["--fixed-strings", "--regexp-ignore-case", `--author=${query.author}`]),
    ...(query.since === undefined ? [] : [`--max-age=${query.since}`]),
    ...(query.until === undefined ? [] : [`--min-age=${query.until}`]),
  ];
  const points = [query.sha, ...[query.without ?? []].flat().map((sha) => `^${sha}`)];
  return {
    directory,
    args: [
      "rev-list",
      ...options,
      ...filters,
      "--end-of-options",
      ...points,
      "--",
      ...(query.path ? [query.path] : []),
    ],
    env: { GIT_LITERAL_PATHSPECS: "1" },
  };
}

/** Ids, newest first. */
export async function listHistory(
  startGit: StartGit,
  directory: string,
  { query, page }: { query: HistoryQuery; page: { offset: number; limit: number } },
): Promise<string[]> {
  const shas: string[] = [];
  const options = [`--skip=${page.offset}`, `--max-count=${page.limit}`];
  await readRecords(startGit, {
    ...historyStart(directory, options, query),
    separator: "\n",
    onRecord: (line) => void shas.push(line.toString("latin1")),
  });
  return shas;
}

export async function countHistory(
  startGit: StartGit,
  directory: string,
  query: HistoryQuery,
): Promise<number> {
  let count = 0;
  await readRecords(startGit, {
    ...historyStart(directory, ["--count"], query),
    separator: "\n",
    onRecord: (line) => void (count = Number(line.toString("latin1"))),
  });
  return count;
}

/** The best common ancestor; undefined where there is none. */
export async function mergeBase(
  runGit: RunGit,
  directory: string,
  { one, other }: { one: string; other: string },
): Promise<string | undefined> {
  const args = ["merge-base", "--end-of-options", one, other];
  const result = await runGit({ directory, args, acceptExitCodes: [0, 1], timeoutMs: queryTimeoutMs });
  return result.stdout.toString("latin1").trim() || undefined;
}

/** All best common ancestors: several, where two branches have merged each other; none where they share no history. */
export async function mergeBases(
  runGit: RunGit,
  directory: string,
  { one, other }: { one: string; other: string },
): Promise<string[]> {
  const args = ["merge-base", "--all", "--end-of-options", one, other];
  const result = await runGit({ directory, args, acceptExitCodes: [0, 1], timeoutMs: queryTimeoutMs });
  return result.stdout.toString("latin1").split("\n").filter(Boolean);
}
