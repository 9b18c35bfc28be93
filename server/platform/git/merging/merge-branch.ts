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
import { mergeTrees } from "./merge-commits.ts";
import { packMissing } from "./pack-missing.ts";
import { replayCommits } from "./replay-commits.ts";

export type BranchStrategy = "merge" | "squash" | "rebase" | "fast_forward";

export interface BranchMerge {
  strategy: BranchStrategy;
  /** Full ids of commits of the repository. */
  target: string;
  head: string;
  /** Of both, where it is known; otherwise it is looked for whether the target has the head already. */
  base?: string | undefined;
  /** What merging both leads to, where it is known and needs no check. */
  tree?: string | undefined;
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
  const { target, head, base, tree, strategy } = wanted;
  const isWithin = (before: string, after: string) =>
    base === undefined
      ? isAncestor(git.run, { directory, quarantine: null, before, after })
      : base === before;
  if (await isWithin(head, target)) return { impossible: "nothing" };
  if (strategy === "fast_forward")
    return (await isWithin(target, head)) ? { commit: head } : { impossible: "not_forward" };
  if (tree !== undefined && strategy !== "rebase")
    return commitMerged(git.run, { directory, env: {}, signal }, { ...wanted, tree });
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
  const { strategy, target, head } = wanted;
  if (strategy === "rebase") return replayCommits(runGit, place, wanted);
  const merged = await mergeTrees(runGit, place, { ours: target, theirs: head });
  return "conflicts" in merged ? merged : commitMerged(runGit, place, { ...wanted, tree: merged.tree });
}

/** A merge commit, or one of all changes. */
async function commitMerged(
  runGit: RunGit,
  place: CombinedPlace,
  { tree, strategy, target, head, message, author, committer, sign }: BranchMerge & { tree: string },
): Promise<BranchOutcome> {
  const isSquash = strategy === "squash";
  if (isSquash && tree === (await treeOf(runGit, place, target))) return { impossible: "nothing" };
  const parents = isSquash ? [target] : [target, head];
  return { commit: await commitTree(place, { tree, parents, message, author, committer, sign }) };
}
