/** Which paths a push of what is here would change: since what was pushed last, or since the branch began. */
import { ExecProblem } from "./exec-problem.ts";
import { gitLine, gitPaths } from "./git.ts";
import type { LocalRepository } from "./repository.ts";

export interface Changes {
  /** The commit that they are compared with; null where there is none. */
  base: string | null;
  /** null where they are unknown: then every filter of paths matches. */
  paths: string[] | null;
}

export interface ChangesAsked {
  branch: string;
  /** A commit that somebody named. */
  since: string | undefined;
  /** Leaves out what is not committed. */
  committed: boolean;
}

/** Throws `ExecProblem` for a commit that is not there. */
export async function findChanges(repository: LocalRepository, asked: ChangesAsked): Promise<Changes> {
  if (!repository.isGit || repository.head === null) {
    if (asked.since === undefined) return { base: null, paths: null };
    throw new ExecProblem("--since needs a repository that has a commit");
  }
  const base = await baseOf(repository, asked);
  if (base === null) return { base: null, paths: null };
  const paths = await pathsSince(repository, base, asked);
  if (paths.length > 0 || asked.since !== undefined) return { base, paths };
  // Nothing has changed since: then the last commit counts, as if it had just been pushed.
  const parent = await gitLine(repository.root, ["rev-parse", "--verify", "--quiet", "HEAD~1^{commit}"]);
  return { base: parent, paths: parent === null ? null : await pathsSince(repository, parent, asked) };
}

async function baseOf(repository: LocalRepository, { branch, since }: ChangesAsked): Promise<string | null> {
  const { root, defaultBranch } = repository;
  const commit = (name: string) => gitLine(root, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  if (since !== undefined) {
    const found = await commit(since);
    if (found === null) throw new ExecProblem(`--since: no commit is named ${since}`);
    return found;
  }
  if (branch === defaultBranch) return commit(`refs/remotes/origin/${defaultBranch}`);
  for (const ref of [`refs/remotes/origin/${defaultBranch}`, `refs/heads/${defaultBranch}`]) {
    const base = await gitLine(root, ["merge-base", "HEAD", ref]);
    if (base !== null) return base;
  }
  return null;
}

async function pathsSince(
  { root }: LocalRepository,
  base: string,
  { committed }: ChangesAsked,
): Promise<string[]> {
  const diff = [
    "diff",
    "--name-only",
    "--no-renames",
    "--no-ext-diff",
    "--ignore-submodules=dirty",
    "-z",
    base,
  ];
  const changed = await gitPaths(root, committed ? [...diff, "HEAD"] : diff);
  if (committed) return changed;
  const added = await gitPaths(root, ["ls-files", "--others", "--exclude-standard", "-z"]);
  return [...new Set([...changed, ...added])].toSorted();
}
