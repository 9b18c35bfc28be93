/** Whether an update is a fast-forward, also if the new commits are still in the quarantine of their push. */
import { quarantineEnvironment } from "../objects/received-objects.ts";
import type { RunGit } from "../processes/run-git.ts";

export interface Step {
  directory: string;
  /** Directory of objects that are not in the repository yet. */
  quarantine: string | null;
  before: string;
  after: string;
}

/** False also for objects that are not commits, or are missing. */
export async function isAncestor(runGit: RunGit, step: Step): Promise<boolean> {
  const { directory, quarantine, before, after } = step;
  const { exitCode } = await runGit({
    directory,
    args: ["merge-base", "--is-ancestor", before, after],
    env: quarantine === null ? {} : quarantineEnvironment({ directory, quarantine }),
    acceptExitCodes: [0, 1, 128],
  });
  return exitCode === 0;
}
