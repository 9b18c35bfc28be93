/** How far two commits are apart. */
import type { RunGit } from "../processes/run-git.ts";
import type { CombinedPlace } from "./combined-objects.ts";

export interface Divergence {
  /** Commits that only `there` reaches. */
  behind: number;
  /** Commits that only `here` reaches. */
  ahead: number;
}

const timeoutMs = 120_000;

/** Throws `GitError`, also where one of them is missing, and the signal's reason. */
export async function countDivergence(
  runGit: RunGit,
  place: CombinedPlace,
  { here, there }: { here: string; there: string },
): Promise<Divergence> {
  if (here === there) return { behind: 0, ahead: 0 };
  const { stdout } = await runGit({
    ...place,
    args: ["rev-list", "--count", "--left-right", "--end-of-options", `${here}...${there}`],
    timeoutMs,
  });
  const [ahead = "0", behind = "0"] = stdout.toString("latin1").trim().split("\t");
  return { ahead: Number(ahead), behind: Number(behind) };
}
