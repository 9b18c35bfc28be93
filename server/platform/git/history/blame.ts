/** Which commit added each line of a file: `git blame`, read as a stream. */
import { readRecords } from "../processes/read-records.ts";
import type { StartGit } from "../processes/run-git.ts";

export interface BlameRange {
  /** From 1. */
  startLine: number;
  endLine: number;
  sha: string;
  /** The file's name in that commit. */
  path: string;
}

/** `sha` is a full commit id that has the file; ranges come in the order of lines, without gaps. */
export async function blameFile(
  startGit: StartGit,
  directory: string,
  { sha, path }: { sha: string; path: string },
): Promise<BlameRange[]> {
  const ranges: BlameRange[] = [];
  const last = () => ranges.at(-1);
  await readRecords(startGit, {
    directory,
    // Blame knows no --end-of-options; the id cannot be taken for one, and the path follows `--`.
    args: ["blame", "--incremental", "--root", sha, "--", path],
    separator: "\n",
    onRecord(record) {
      const line = record.toString("utf8");
      const head = /^(?<sha>[0-9a-f]{40}) \d+ (?<start>\d+) (?<count>\d+)$/.exec(line)?.groups;
      if (head) {
        const startLine = Number(head["start"]);
        const endLine = startLine + Number(head["count"]) - 1;
        ranges.push({ startLine, endLine, sha: head["sha"]!, path });
      } else if (line.startsWith("filename ")) {
        const range = last();
        if (range) range.path = unquote(line.slice("filename ".length));
      }
    },
  });
  return joined(ranges.sort((one, other) => one.startLine - other.startLine));
}

function joined(ranges: readonly BlameRange[]): BlameRange[] {
  const result: BlameRange[] = [];
  for (const range of ranges) {
    const before = result.at(-1);
    if (before?.sha === range.sha && before.path === range.path) before.endLine = range.endLine;
    else result.push({ ...range });
  }
  return result;
}

/** Git puts names with unusual characters into quotes, with octal bytes and C escapes. */
export function unquote(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"') || name.length < 2) return name;
  const simple: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };
  const parts = name.slice(1, -1).match(/\\[0-7]{3}|\\.|[^\\]+/gs) ?? [];
  const bytes = parts.map((part) => {
    if (!part.startsWith("\\")) return Buffer.from(part, "utf8");
    return Buffer.from([simple[part[1]!] ?? Number.parseInt(part.slice(1), 8)]);
  });
  return Buffer.concat(bytes).toString("utf8");
}
