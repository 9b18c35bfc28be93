/** Whether an update brings merge commits, also if they are still in the quarantine of their push. */
import { quarantineEnvironment } from "../objects/received-objects.ts";
import type { RunGit } from "../processes/run-git.ts";
import { zeroId } from "../refs/names.ts";
import type { Step } from "./is-ancestor.ts";

/** For a new branch, commits that another branch has are not new. */
export async function bringsMerge(runGit: RunGit, step: Step): Promise<boolean> {
  const { directory, quarantine, before, after } = step;
  const known = before === zeroId ? ["--branches"] : [before];
  const { stdout } = await runGit({
    directory,
    args: ["rev-list", "--merges", "--max-count=1", after, "--not", ...known],
    env: quarantine === null ? {} : quarantineEnvironment({ directory, quarantine }),
  });
  return stdout.length > 0;
}
