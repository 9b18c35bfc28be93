/** Which paths a push changed, for the `paths` filters of pipelines (`pipelines.md`, `on`). */
import { changedEntries } from "./changed-entries.ts";
import type { ReadTree } from "./edit-tree.ts";
import { emptyTree, isObjectId, isSafeRefName, zeroId } from "./names.ts";
import type { RunGit } from "./run-git.ts";

/** What moved, and the branch that new ones are measured against. */
export interface RefChange {
  /** null for a ref that is new. */
  before: string | null;
  after: string;
  ref: string;
  defaultBranch: string;
}

/** Directories that are read before the answer is that it cannot be told. */
const maxTrees = 10_000;
const readSteps = 10;

/** Where trees are read from. */
export interface TreeSource {
  /** The top directory of a commit, by full ids; undefined when there is no such commit. */
  treeOf(sha: string): Promise<string | undefined>;
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
    // A push mostly goes forward, so that comparison runs while Git is asked whether it does.
    const before = change.before !== null && isObjectId(change.before) ? change.before : emptyTree;
    const [base, forward] = await Promise.all([
      baseOf(repository, change),
      compare(trees, { base: before, after: change.after, limit }).catch(() => null),
    ]);
    if (base === before) return forward;
    return await compare(trees, { base, after: change.after, limit });
  } catch {
    // Not told is a documented answer: filters then match, and a run too many is better than one too few.
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
  const { paths, more } = await changedEntries(trees.read, left, right, { paths: limit, trees: maxTrees });
  return more ? null : paths.sort();
}

async function baseOf(repository: Source, change: RefChange): Promise<string> {
  const { runGit, directory } = repository;
  const before = change.before !== null && isObjectId(change.before) && change.before !== zeroId;
  if (before && (await isAncestor(repository, change.before!, change.after))) return change.before!;
  const defaultRef = `refs/heads/${change.defaultBranch}`;
  // The default branch has itself as merge base: a force push there is measured against where it was.
  const other = change.ref === defaultRef ? change.before : defaultRef;
  if (other === null || !(isObjectId(other) || isSafeRefName(other))) return emptyTree;
  const result = await runGit({
    directory,
    args: ["merge-base", "--end-of-options", other, change.after],
    acceptExitCodes: [0, 1, 128],
  });
  return result.stdout.toString("utf8").trim() || emptyTree;
}

/** Most pushes add a few commits in a row: they are read here, and a process of Git is started for others only. */
async function isAncestor(
  { runGit, directory, trees }: Source,
  older: string,
  newer: string,
): Promise<boolean> {
  let at = newer;
  for (let step = 0; step < readSteps; step++) {
    const parents = await trees.parentsOf(at);
    if (parents?.includes(older)) return true;
    if (parents?.length !== 1) break;
    at = parents[0]!;
  }
  const args = ["merge-base", "--is-ancestor", "--end-of-options", older, newer];
  const result = await runGit({ directory, args, acceptExitCodes: [0, 1] });
  return result.exitCode === 0;
}
