/** What a comparison has merged already need not be merged again: its tree is what the merge leads to. */
import type { CommitInfo } from "../objects/commit.ts";
import type { RunGit } from "../processes/run-git.ts";

export interface KeptResult {
  directory: string;
  signal: AbortSignal;
  /** Of the ref that keeps what the target would become. */
  commit: CommitInfo | undefined;
  /** Full ids. */
  target: string;
  head: string;
}

/**
 * The tree of both, as `git merge-tree` made it; undefined where the commit is not of these two, or where a file in it is of neither
 * side: what Git has put together is checked as a push before a branch gets it. Throws `GitError`, and the signal's reason.
 */
export async function keptTree(runGit: RunGit, kept: KeptResult): Promise<string | undefined> {
  const { directory, signal, commit, target, head } = kept;
  if (commit?.parents.length !== 2 || commit.parents[0] !== target || commit.parents[1] !== head)
    return undefined;
  const { stdout } = await runGit({
    directory,
    // Of a merge, only what differs from all parents.
    args: ["diff-tree", "-c", "-r", "--no-renames", "--name-only", "--no-commit-id", "-z", commit.sha],
    signal,
    maxOutputBytes: 64 * 1024 * 1024,
  });
  return stdout.length === 0 ? commit.tree : undefined;
}
