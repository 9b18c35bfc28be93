/**
 * Makes what merging a branch leads to, without a working tree: a merge commit, one commit of all changes, the commits again, or
 * none where the target only has to move forward. New objects come into the repository only when it has succeeded.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { isAncestor } from "../history/is-ancestor.ts";
import { movePacks } from "../objects/move-packs.ts";
import { quarantineEnvironment } from "../objects/received-objects.ts";
import type { Git, RunGit } from "../processes/run-git.ts";
import type { SignCommit } from "../signatures/sign-commit.ts";
import type { CombinedPlace } from "./combined-objects.ts";
import { commitTree, treeOf, type Person } from "./commit-tree.ts";
import { mergeCommits, mergeTrees } from "./merge-commits.ts";
import { packMissing } from "./pack-missing.ts";
import { replayCommits } from "./replay-commits.ts";

export type BranchStrategy = "merge" | "squash" | "rebase" | "fast_forward";

export interface BranchMerge {
  strategy: BranchStrategy;
  /** Full ids of commits of the repository. */
  target: string;
  head: string;
  /** Of the commit that a merge or a squash makes. */
  message: string;
  /** Of that commit. */
  author: Person;
  committer: Person;
  /** Of that commit. Those of a rebase are other people's, and are not signed in their place. */
  sign?: SignCommit | undefined;
  /** A rebase makes no more. */
  maxCommits: number;
}

/**
 * `nothing`: the target has all of it. `not_forward`: the target has commits of its own. `too_many`: more commits than a rebase
 * makes. Paths are those that both sides changed, the first hundred by name; `commit` is then the one that could not be made again.
 */
export type BranchOutcome =
  | { commit: string }
  | { conflicts: string[]; at?: string }
  | { impossible: "nothing" | "not_forward" | "too_many" };

/** Moves no ref. May be repeated. Throws `GitError`, and the signal's reason. */
export async function mergeBranch(
  git: Git,
  { directory, signal }: { directory: string; signal: AbortSignal },
  wanted: BranchMerge,
): Promise<BranchOutcome> {
  const { target, head } = wanted;
  const forward = { directory, quarantine: null };
  if (await isAncestor(git.run, { ...forward, before: head, after: target }))
    return { impossible: "nothing" };
  if (wanted.strategy === "fast_forward") {
    const isForward = await isAncestor(git.run, { ...forward, before: target, after: head });
    return isForward ? { commit: head } : { impossible: "not_forward" };
  }
  const made = await mkdtemp(join(directory, "objects", "tmp_objdir-merge-"));
  try {
    const env = quarantineEnvironment({ directory, quarantine: made });
    const outcome = await make(git.run, { directory, env, signal }, wanted);
    if ("commit" in outcome && outcome.commit !== head) {
      const tips = { tips: [outcome.commit], has: [target, head] };
      await packMissing(git, { directory, env, ...tips, quarantine: made, signal });
      await movePacks(made, directory);
    }
    return outcome;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function make(runGit: RunGit, place: CombinedPlace, wanted: BranchMerge): Promise<BranchOutcome> {
  const { strategy, target, head, message, author, committer, sign } = wanted;
  if (strategy === "rebase") return replayCommits(runGit, place, wanted);
  const sides = { ours: target, theirs: head };
  const about = { message, author, committer, sign };
  if (strategy === "merge") return mergeCommits(runGit, place, { ...sides, ...about });
  const merged = await mergeTrees(runGit, place, sides);
  if ("conflicts" in merged) return merged;
  if (merged.tree === (await treeOf(runGit, place, target))) return { impossible: "nothing" };
  const commit = { tree: merged.tree, parents: [target], ...about };
  return { commit: await commitTree(runGit, place, commit) };
}
