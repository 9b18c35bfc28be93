/** How far two commits are apart. */
import type { RunGit } from "../processes/run-git.ts";

export interface Divergence {
  /** Commits that only `there` reaches. */
  behind: number;
  /** Commits that only `here` reaches. */
  ahead: number;
}

const timeoutMs = 120_000;

/** `env` makes both visible. Throws `GitError`, also where one of them is missing. */
export async function countDivergence(
  runGit: RunGit,
  { directory, env }: { directory: string; env: Readonly<Record<string, string>> },
  { here, there }: { here: string; there: string },
): Promise<Divergence> {
  if (here === there) return { behind: 0, ahead: 0 };
  const { stdout } = await runGit({
    directory,
    args: ["rev-list", "--count", "--left-right", "--end-of-options", `${here}...${there}`],
    env,
    timeoutMs,
  });
  const [ahead = "0", behind = "0"] = stdout.toString("latin1").trim().split("\t");
  return { ahead: Number(ahead), behind: Number(behind) };
}
