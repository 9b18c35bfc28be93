/** Changes between two trees, file by file with a patch, within limits. */
import { changedEntries, type EntryLimits } from "./changed-entries.ts";
import type { ReadTree } from "../objects/edit-tree.ts";
import { emptyTree } from "../refs/names.ts";
import { readRecords } from "../processes/read-records.ts";
import type { StartGit } from "../processes/run-git.ts";

export type ChangeStatus = "added" | "modified" | "deleted" | "renamed" | "copied" | "type_changed";

export interface FileChange {
  path: string;
  previousPath: string | null;
  status: ChangeStatus;
  /** The object after the change; null for a deleted file. */
  oid: string | null;
  /** Lines; null for a binary file. */
  additions: number | null;
  deletions: number | null;
  /** Unified diff, without the lines before its first `@@`; null for a binary file and past the limit. */
  patch: string | null;
}

export interface FileChanges {
  files: FileChange[];
  truncated: boolean;
}

export interface ChangeLimits {
  files: number;
  /** Of all patches together. */
  patchBytes: number;
}

const literalPaths = { GIT_LITERAL_PATHSPECS: "1" };
const options = ["-r", "-M", "-l500", "--no-ext-diff", "--no-textconv", "--no-color"];

/** Git holds both sides of a text file in memory to compare them; of a binary one it only says that it differs. */
const asBinaryPast = ["-c", "core.bigFileThreshold=10m"];

/** More changes than these are not compared with each other to find renames. */
const maxCompared: EntryLimits = { paths: 3_000, trees: 10_000 };

/** `before` and `after` are full ids of trees. */
export async function changedFiles(
  startGit: StartGit,
  repository: { directory: string; readTree: ReadTree },
  { range, limits }: { range: { before: string; after: string }; limits: ChangeLimits },
): Promise<FileChanges> {
  const { directory, readTree } = repository;
  const sides = [range.before, range.after].map((tree) => (tree === emptyTree ? null : tree));
  const { paths, more } = await changedEntries(
    readTree,
    { before: sides[0]!, after: sides[1]! },
    maxCompared,
  );
  if (more && paths.length === 0) return { files: [], truncated: true };
  const wanted = more ? paths.slice(0, limits.files) : [];
  const points = ["--end-of-options", range.before, range.after, "--", ...wanted];
  const listing = await readListing(startGit, directory, { points, limit: limits.files });
  const lines = await readLineCounts(startGit, directory, { points, limit: listing.files.length });
  const patches = await readPatches(startGit, { directory, points }, { ...limits, files: listing.files });
  return {
    truncated: more || listing.truncated,
    files: listing.files.map((file, index) => {
      const { additions, deletions } = lines[index] ?? { additions: null, deletions: null };
      return { ...file, additions, deletions, patch: additions === null ? null : (patches[index] ?? null) };
    }),
  };
}

type ListedChange = Pick<FileChange, "path" | "previousPath" | "status" | "oid">;

const statuses: Record<string, ChangeStatus> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type_changed",
};

/** `:100644 100644 <id> <id> R100`, then one path, or two for renames and copies; each ends with NUL. */
async function readListing(
  startGit: StartGit,
  directory: string,
  { points, limit }: { points: readonly string[]; limit: number },
): Promise<{ files: ListedChange[]; truncated: boolean }> {
  const files: ListedChange[] = [];
  let head: string[] | undefined;
  let previousPath: string | null = null;
  let truncated = false;
  await readRecords(startGit, {
    directory,
    args: ["diff-tree", "--raw", "--no-abbrev", "-z", ...options, ...points],
    env: literalPaths,
    separator: "\0",
    onRecord(record) {
      const text = record.toString("utf8");
      if (!head) {
        truncated = files.length >= limit;
        head = text.slice(1).split(" ");
        return !truncated;
      }
      const letter = head[4]?.[0] ?? "";
      if ((letter === "R" || letter === "C") && previousPath === null) {
        previousPath = text;
        return true;
      }
      const oid = letter === "D" ? null : (head[3] ?? null);
      files.push({ path: text, previousPath, status: statuses[letter] ?? "modified", oid });
      head = undefined;
      previousPath = null;
      return true;
    },
  });
  return { files, truncated };
}

/** `12\t3\t<path>`; a rename has an empty path and two more records; a binary file has `-` for both numbers. */
async function readLineCounts(
  startGit: StartGit,
  directory: string,
  { points, limit }: { points: readonly string[]; limit: number },
): Promise<Pick<FileChange, "additions" | "deletions">[]> {
  const counts: Pick<FileChange, "additions" | "deletions">[] = [];
  let pathsToSkip = 0;
  await readRecords(startGit, {
    directory,
    args: [...asBinaryPast, "diff-tree", "--numstat", "-z", ...options, ...points],
    env: literalPaths,
    separator: "\0",
    onRecord(record) {
      if (pathsToSkip > 0) {
        pathsToSkip -= 1;
        return true;
      }
      if (counts.length >= limit) return false;
      const [added = "", deleted = "", path = ""] = record.toString("utf8").split("\t");
      if (path === "") pathsToSkip = 2;
      counts.push(
        added === "-"
          ? { additions: null, deletions: null }
          : { additions: Number(added), deletions: Number(deleted) },
      );
      return true;
    },
  });
  return counts;
}

/**
 * Patches in the order of the listing. Lines of content begin with a space, a sign or a backslash, so a line that begins
 * with `diff --git` opens the next file; a change of type is shown as a deletion and an addition.
 */
async function readPatches(
  startGit: StartGit,
  { directory, points }: { directory: string; points: readonly string[] },
  limits: { patchBytes: number; files: readonly ListedChange[] },
): Promise<string[]> {
  const patches: string[] = [];
  let lines: string[] | undefined;
  let sectionsLeft = 0;
  let inHeader = false;
  let size = 0;
  function open(): boolean {
    inHeader = true;
    if (sectionsLeft > 0) {
      sectionsLeft -= 1;
      return true;
    }
    if (lines) patches.push(lines.join("\n"));
    lines = [];
    sectionsLeft = limits.files[patches.length]?.status === "type_changed" ? 1 : 0;
    return patches.length < limits.files.length;
  }
  await readRecords(startGit, {
    directory,
    args: [...asBinaryPast, "diff-tree", "-p", ...options, ...points],
    env: literalPaths,
    separator: "\n",
    onRecord(record) {
      const line = record.toString("utf8");
      if (line.startsWith("diff --git ")) return open();
      if (line.startsWith("@@")) inHeader = false;
      if (inHeader) return true;
      size += record.length + 1;
      if (size > limits.patchBytes) lines = undefined;
      lines?.push(line);
      return lines !== undefined;
    },
  });
  if (lines) patches.push(lines.join("\n"));
  return patches;
}
