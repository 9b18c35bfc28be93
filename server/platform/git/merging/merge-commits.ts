/** Merges two commits without a working tree: git-merge-tree(1). */
import type { RunGit } from "../processes/run-git.ts";
import type { SignCommit } from "../signatures/sign-commit.ts";
import type { CombinedPlace } from "./combined-objects.ts";
import { commitTree, type Person } from "./commit-tree.ts";

export interface WantedMerge {
  ours: string;
  theirs: string;
  message: string;
  author: Person;
  /** Default: the author. */
  committer?: Person;
  /** Absent: now. */
  date?: Date;
  sign?: SignCommit | undefined;
}

/** Paths are those that both sides changed, the first of them by name. */
export type Merged = { commit: string } | { conflicts: string[] };

const timeoutMs = 300_000;
const maxPaths = 100;
const maxOutputBytes = 64 * 1024 * 1024;

/** The merged tree, or why there is none. */
export async function mergeTrees(
  runGit: RunGit,
  place: CombinedPlace,
  { ours, theirs }: Pick<WantedMerge, "ours" | "theirs">,
): Promise<{ tree: string } | { conflicts: string[] }> {
  const { stdout, exitCode } = await runGit({
    ...place,
    args: [
      "-c",
      "merge.renameLimit=1000",
      "merge-tree",
      "--write-tree",
      "-z",
      "--name-only",
      "--no-messages",
      ours,
      theirs,
    ],
    acceptExitCodes: [0, 1],
    yields: true,
    timeoutMs,
    maxOutputBytes,
  });
  const [tree = "", ...paths] = stdout.toString("utf8").split("\0");
  if (exitCode === 0) return { tree };
  const conflicts = [...new Set(paths.filter((path) => path !== ""))].toSorted();
  return { conflicts: conflicts.slice(0, maxPaths) };
}

/** A commit with both as parents. */
export async function mergeCommits(
  runGit: RunGit,
  place: CombinedPlace,
  wanted: WantedMerge,
): Promise<Merged> {
  const merged = await mergeTrees(runGit, place, wanted);
  if ("conflicts" in merged) return merged;
  const { ours, theirs, message, author, committer = author, date, sign } = wanted;
  const commit = { tree: merged.tree, parents: [ours, theirs], message, author, committer, date, sign };
  return { commit: await commitTree(place, commit) };
}
