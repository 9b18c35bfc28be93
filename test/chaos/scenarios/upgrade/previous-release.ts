/** A checkout of the release before, with the dependencies of its own lock file, to start programs from. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@forgeline/launcher/run.ts";

/** The last state of `main` whose engine had neither gates, matrices, artifacts nor caches: nothing is tagged yet. */
const previous = "5c552bf3";
const checkout = join(import.meta.dirname, "../../../..");

export interface PreviousRelease {
  commit: string;
  directory: string;
  remove(): Promise<void>;
}

/** Takes a minute. `FORGELINE_PREVIOUS_RELEASE` names another commit. */
export async function checkOutPrevious(): Promise<PreviousRelease> {
  const commit = process.env["FORGELINE_PREVIOUS_RELEASE"] ?? previous;
  const directory = await mkdtemp(join(tmpdir(), "forgeline-previous-"));
  const git = (...args: string[]) => run("git", ["-C", checkout, ...args], { env: process.env });
  await git("worktree", "add", "--quiet", "--force", "--detach", directory, commit);
  await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: directory,
    env: process.env,
  });
  return {
    commit,
    directory,
    async remove() {
      await rm(directory, { recursive: true, force: true });
      await git("worktree", "prune");
    },
  };
}
