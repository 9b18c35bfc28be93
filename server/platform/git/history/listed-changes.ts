/** The files that a change concerns, without what changed in them; renames are found where Git can tell them. */
import { readRecords } from "../processes/read-records.ts";
import type { StartGit } from "../processes/run-git.ts";
import { emptyTree } from "../refs/names.ts";
import {
  treeDifference,
  type DifferenceLimits,
  type FileDifference,
  type FileSide,
  type TreeObjects,
} from "./tree-difference.ts";

export interface ListedChange extends FileDifference {
  /** Where a renamed file was before. */
  previousPath: string | null;
}

export type ChangeStatus = "added" | "modified" | "deleted" | "renamed" | "type_changed";

export function statusOf({ before, after, previousPath }: ListedChange): ChangeStatus {
  if (previousPath !== null) return "renamed";
  if (!before) return "added";
  if (!after) return "deleted";
  return before.kind === after.kind ? "modified" : "type_changed";
}

export interface ListedChanges {
  /** By path. */
  files: ListedChange[];
  /** There are more than `maxListedFiles`, or too many directories to look through. */
  more: boolean;
}

/** Full ids of trees; null for none. */
export interface TreePair {
  before: string | null;
  after: string | null;
}

/** Of a file in a list, beside its paths. */
const listedBytes = 600;

/** About how much memory a list takes. */
export function bytesOfList({ files }: ListedChanges): number {
  const paths = files.map(({ path, previousPath }) => path.length + (previousPath?.length ?? 0));
  return paths.reduce((sum, length) => sum + listedBytes + 2 * length, listedBytes);
}

export const maxListedFiles = 10_000;
const renamesAlone = ["--raw", "--no-abbrev", "-z", "-r", "-M", "-l500", "--diff-filter=R"];
const asStored = ["--no-ext-diff", "--no-textconv", "--no-color"];
const mib = 1024 * 1024;
const limits: DifferenceLimits = {
  files: maxListedFiles,
  trees: 20_000,
  treeBytes: 64 * mib,
  pathLength: 8 * mib,
};

export async function listChanges(
  startGit: StartGit,
  repository: { directory: string; trees: TreeObjects },
  pair: TreePair,
): Promise<ListedChanges> {
  // It is an object for Git, but in no repository.
  const treeOf = (tree: string | null) => (tree === emptyTree ? null : tree);
  const trees = { before: treeOf(pair.before), after: treeOf(pair.after) };
  const { files, more } = await treeDifference(repository.trees, trees, limits);
  const mayHoldRenames = files.some(({ before }) => !before) && files.some(({ after }) => !after);
  // Of a list that is not whole, Git would look through all that is missing.
  const renames =
    mayHoldRenames && !more
      ? await findRenames(startGit, repository.directory, pair)
      : new Map<string, string>();
  return { files: withRenames(files, renames), more };
}

/** New path → old path. */
export type Renames = ReadonlyMap<string, string>;

/** A renamed file stands for one that was deleted and one that was added, as Git pairs no others. */
export function withRenames(files: readonly FileDifference[], renames: Renames): ListedChange[] {
  const sources = new Set(renames.values());
  const removed = new Map<string, FileSide | null>();
  for (const { path, before } of files) if (sources.has(path)) removed.set(path, before);
  return files.flatMap((file) => {
    const previousPath = renames.get(file.path) ?? null;
    if (sources.has(file.path)) return [];
    const before = previousPath === null ? file.before : (removed.get(previousPath) ?? null);
    return [{ ...file, before, previousPath }];
  });
}

/** `:100644 100644 <id> <id> R100`, the old path, the new path; each ends with NUL. */
async function findRenames(startGit: StartGit, directory: string, pair: TreePair): Promise<Renames> {
  const renames = new Map<string, string>();
  const record: string[] = [];
  const points = [pair.before ?? emptyTree, pair.after ?? emptyTree];
  await readRecords(startGit, {
    directory,
    args: ["diff-tree", ...renamesAlone, ...asStored, "--end-of-options", ...points],
    separator: "\0",
    onRecord(bytes) {
      record.push(bytes.toString("utf8"));
      if (record.length < 3) return;
      const [, from = "", to = ""] = record.splice(0);
      renames.set(to, from);
    },
  });
  return renames;
}
