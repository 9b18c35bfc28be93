/** Which paths a push changed, for the `paths` filters of pipelines (`pipelines.md`, `on`). */
import { changedEntries } from "./changed-entries.ts";
import type { ReadTree } from "../objects/edit-tree.ts";
import { mergeBase } from "./merge-base.ts";
import { emptyTree, isObjectId, zeroId } from "../refs/names.ts";
import type { RunGit } from "../processes/run-git.ts";

/** The ref update, and the branch against which new refs are compared. */
export interface RefChange {
  /** null for a ref that is new. */
  before: string | null;
  after: string;
  ref: string;
  defaultBranch: string;
  /** For one of very many: computed only if no Git process is needed. */
  cheaply?: boolean;
}

/** Directories that are read before the paths count as unknown. */
const maxTrees = 10_000;

/** Where trees are read from. */
export interface TreeSource {
  /** The top directory of a commit, by full ids; undefined when there is no such commit. */
  treeOf(sha: string): Promise<string | undefined>;
  /** The commit of a ref, by its full name; undefined when there is none. */
  tipOf(ref: string): Promise<string | undefined>;
  /** Of a commit, by full ids; undefined when there is no such commit. */
  parentsOf(sha: string): Promise<readonly string[] | undefined>;
  read: ReadTree;
}

interface Source {
  runGit: RunGit;
  directory: string;
  trees: TreeSource;
}

/** null when there are more than `limit`, or when one side is no commit that we have. */
export async function changedPathsBetween(
  repository: Source,
  change: RefChange,
  limit: number,
): Promise<string[] | null> {
  const { trees } = repository;
  if (!isObjectId(change.after) || change.after === zeroId) return null;
  try {
    return await compare(trees, { base: await baseOf(repository, change), after: change.after, limit });
  } catch {
    // Unknown is a documented answer: filters then match, and an extra run is better than a missing one.
    return null;
  }
}

async function compare(
  trees: TreeSource,
  { base, after, limit }: { base: string; after: string; limit: number },
): Promise<string[] | null> {
  const [left, right] = await Promise.all([
    base === emptyTree ? null : trees.treeOf(base),
    trees.treeOf(after),
  ]);
  if (left === undefined || right === undefined) return null;
  const { paths, more } = await changedEntries(
    trees.read,
    { before: left, after: right },
    { paths: limit, trees: maxTrees },
  );
  return more ? null : paths.sort();
}

async function baseOf({ trees, ...source }: Source, change: RefChange): Promise<string> {
  const histories = { ...source, parentsOf: trees.parentsOf, mayStart: change.cheaply !== true };
  const before = change.before !== null && isObjectId(change.before) ? change.before : zeroId;
  if (before !== zeroId && (await mergeBase(histories, before, change.after)) === before) return before;
  const defaultRef = `refs/heads/${change.defaultBranch}`;
  // The default branch is its own merge base: a force push there is compared with its previous commit.
  const other = change.ref === defaultRef ? change.before : await trees.tipOf(defaultRef);
  if (!other || !isObjectId(other) || other === zeroId) return emptyTree;
  return (await mergeBase(histories, other, change.after)) ?? emptyTree;
}
