/** Lists branches, and tells whether one of some contains a commit. Commits in quarantine are in none. */
import type { RunGit } from "../processes/run-git.ts";

/** Short names. */
export async function listBranchNames(runGit: RunGit, directory: string): Promise<string[]> {
  const { stdout } = await runGit({
    directory,
    args: ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads"],
    maxOutputBytes: 64 * 1024 * 1024,
  });
  return stdout.toString("utf8").split("\n").filter(Boolean);
}

/** Names on one command line. */
const maxNames = 500;

/** False also for a commit that is not in the repository. `branches` are short names. */
export async function isReachableFrom(
  runGit: RunGit,
  asked: { directory: string; sha: string; branches: readonly string[] },
): Promise<boolean> {
  const { directory, sha, branches } = asked;
  for (let start = 0; start < branches.length; start += maxNames) {
    const refs = branches.slice(start, start + maxNames).map((name) => `refs/heads/${name}`);
    const { exitCode, stdout } = await runGit({
      directory,
      args: ["for-each-ref", "--count=1", `--contains=${sha}`, "--format=%(refname)", ...refs],
      acceptExitCodes: [0, 128, 129],
    });
    if (exitCode !== 0) return false;
    if (stdout.length > 0) return true;
  }
  return false;
}
