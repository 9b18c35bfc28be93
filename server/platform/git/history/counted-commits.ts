/** The commits that a commit reaches, with the lines that each changed, as a stream. */
import { readRecords } from "../processes/read-records.ts";
import type { StartGit } from "../processes/run-git.ts";

export interface CountedCommit {
  sha: string;
  /** Seconds since 1970, by the author's and the committer's clocks. */
  authoredAt: number;
  committedAt: number;
  name: string;
  email: string;
  /** 0 for merges, whose lines are those of the commits that they join, and for binary files. */
  additions: number;
  deletions: number;
}

export interface HistoryRange {
  directory: string;
  /** Full ids. */
  head: string;
  /** Commits that this one reaches are left out. */
  without: string | null;
  signal: AbortSignal;
}

const headMark = "\x01";
// Git lets no `<` into a name or an address.
const format = "%x01%H %at %ct %ae<%an";
const timeoutMs = 2 * 60 * 60 * 1000;

/** Each once, in no particular order. Throws `GitError`, `unavailable` after two hours, or the signal's reason. */
export async function readCountedCommits(
  startGit: StartGit,
  { directory, head, without, signal }: HistoryRange,
  onCommit: (commit: CountedCommit) => void,
): Promise<void> {
  let commit: CountedCommit | undefined;
  const reading = readRecords(startGit, {
    directory,
    // Git holds both sides of a text file in memory; of a larger one it only says that it differs.
    args: [
      "-c",
      "core.bigFileThreshold=10m",
      "log",
      "-z",
      "--numstat",
      "--no-renames",
      "--no-ext-diff",
      "--no-textconv",
      "--ignore-submodules=all",
      `--format=${format}`,
      "--end-of-options",
      head,
      ...(without === null ? [] : [`^${without}`]),
      "--",
    ],
    separator: "\0",
    signal,
    timeoutMs,
    background: true,
    onRecord(record) {
      const text = record.toString("utf8");
      if (text.startsWith(headMark)) {
        if (commit) onCommit(commit);
        commit = parseHead(text.slice(1));
      } else if (commit) addLines(commit, text);
    },
  });
  await reading.catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
  if (commit) onCommit(commit);
}

function parseHead(text: string): CountedCommit {
  const [sha = "", authored = "", committed = ""] = text.split(" ", 3);
  const person = text.slice(sha.length + authored.length + committed.length + 3);
  const at = person.indexOf("<");
  return {
    sha,
    authoredAt: secondsOf(authored),
    committedAt: secondsOf(committed),
    email: person.slice(0, at),
    name: person.slice(at + 1),
    additions: 0,
    deletions: 0,
  };
}

const latest = Date.UTC(9999, 11, 31) / 1000;

/** A commit may claim any number. */
function secondsOf(text: string): number {
  return Math.min(Math.max(Number(text) || 0, 0), latest);
}

/** `12\t3\t<path>`; a binary file has `-` for both. The first of a commit comes after a line feed. */
function addLines(commit: CountedCommit, text: string): void {
  const [added, deleted] = text.trimStart().split("\t", 2);
  commit.additions += Number(added) || 0;
  commit.deletions += Number(deleted) || 0;
}
