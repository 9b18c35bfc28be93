/**
 * The merge base of two histories. Most diverged a few commits ago without merges since: these are read here, a fraction of a
 * millisecond each, and a Git process is started only for others.
 */
import type { RunGit } from "../processes/run-git.ts";

export interface Histories {
  runGit: RunGit;
  directory: string;
  /** Of a commit, by full ids; undefined when there is no such commit. */
  parentsOf(sha: string): Promise<readonly string[] | undefined>;
  /** Whether a process may be started. */
  mayStart: boolean;
}

/** Commits of either side that are read here. */
const readSteps = 50;

/**
 * The commit that both reach, and no later one does; undefined when there is none. By full ids. Throws where one of them
 * is not there, and where a process is needed that may not be started.
 */
export async function mergeBase(
  histories: Histories,
  left: string,
  right: string,
): Promise<string | undefined> {
  const near = await readStraight(histories.parentsOf, [left, right]);
  if (near.isSure) return near.base;
  if (!histories.mayStart) throw new Error("a merge base takes a process");
  const result = await histories.runGit({
    directory: histories.directory,
    args: ["merge-base", "--end-of-options", left, right],
    acceptExitCodes: [0, 1],
  });
  return result.stdout.toString("utf8").trim() || undefined;
}

/** Both sides by turns, the second one first, each as long as its commits have one parent. */
async function readStraight(
  parentsOf: Histories["parentsOf"],
  [left, right]: readonly [string, string],
): Promise<{ isSure: boolean; base?: string }> {
  if (left === right) return { isSure: true, base: left };
  const sides = [right, left].map((from) => ({ from, at: from, seen: new Set([from]), ended: false }));
  let isWhole = true;
  for (let step = 0; step < readSteps; step++) {
    for (const [index, side] of sides.entries()) {
      if (side.ended) continue;
      const other = sides[1 - index]!;
      const parents = await parentsOf(side.at);
      // Also behind a merge: it reaches the other side as a whole.
      if (parents?.includes(other.from)) return { isSure: true, base: other.from };
      side.ended = parents?.length !== 1;
      isWhole &&= parents !== undefined && parents.length <= 1;
      if (side.ended) continue;
      side.at = parents![0]!;
      if (other.seen.has(side.at)) return { isSure: true, base: side.at };
      side.seen.add(side.at);
    }
    if (sides.every(({ ended }) => ended)) return { isSure: isWhole };
  }
  return { isSure: false };
}
