/** Whether a ref goes forward, also when the new commits are still in the quarantine of the push that brought them. */
import { join } from "node:path";
import type { RunGit } from "./run-git.ts";

export interface Step {
  directory: string;
  /** Directory of objects that are not in the repository yet. */
  quarantine: string | null;
  before: string;
  after: string;
}

/** False also for objects that are no commits, or that are missing. */
export async function isAncestor(runGit: RunGit, step: Step): Promise<boolean> {
  const { directory, quarantine, before, after } = step;
  const { exitCode } = await runGit({
    directory,
    args: ["merge-base", "--is-ancestor", before, after],
    env: quarantine === null ? {} : quarantined(join(directory, "objects"), quarantine),
    acceptExitCodes: [0, 1, 128],
  });
  return exitCode === 0;
}

/** Quoted, since a colon would end a path in the list. */
function quarantined(objects: string, quarantine: string): Record<string, string> {
  return {
    GIT_OBJECT_DIRECTORY: quarantine,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
  };
}
