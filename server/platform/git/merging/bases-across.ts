/** What commits of two repositories have in common. Nothing is made, and neither gets anything. */
import { join } from "node:path";
import { queryTimeoutMs } from "../processes/read-records.ts";
import type { RunGit } from "../processes/run-git.ts";
import { combinedEnvironment } from "./combined-objects.ts";

export interface CommitsAcross {
  /** Bare repositories, and a commit of each by its full id. */
  directory: string;
  here: string;
  from: string;
  there: string;
}

/** All best common ancestors; none where they share no history. Both have all of them. Throws `GitError`. */
export async function basesAcross(
  runGit: RunGit,
  { directory, from, here, there }: CommitsAcross,
): Promise<string[]> {
  const { stdout } = await runGit({
    directory,
    args: ["merge-base", "--all", "--end-of-options", here, there],
    env: combinedEnvironment({ directory, other: from, made: join(directory, "objects") }),
    acceptExitCodes: [0, 1],
    timeoutMs: queryTimeoutMs,
  });
  return stdout.toString("latin1").split("\n").filter(Boolean);
}
