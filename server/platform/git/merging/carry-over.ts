/** Brings what a branch has changed onto another commit, to compare it there with what became of the branch. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { movePacks } from "../objects/move-packs.ts";
import { quarantineEnvironment } from "../objects/received-objects.ts";
import type { Git } from "../processes/run-git.ts";
import { commitTree } from "./commit-tree.ts";
import { mergeTrees } from "./merge-commits.ts";
import { packMissing } from "./pack-missing.ts";

export interface CarriedBranch {
  /** Full ids of commits of the repository. */
  head: string;
  onto: string;
}

const nobody = { name: "Forgeline", email: "noreply@invalid" };
/** The same commit each time, so that asking again writes nothing new. */
const date = new Date(0);

/**
 * A commit that no ref names, with both merged; maintenance removes it one day. Undefined where they conflict. May be repeated.
 * Throws `GitError`, and the signal's reason.
 */
export async function carryOver(
  git: Git,
  { directory, signal }: { directory: string; signal: AbortSignal },
  { head, onto }: CarriedBranch,
): Promise<string | undefined> {
  const made = await mkdtemp(join(directory, "objects", "tmp_objdir-merge-"));
  try {
    const env = quarantineEnvironment({ directory, quarantine: made });
    const merged = await mergeTrees(git.run, { directory, env, signal }, { ours: onto, theirs: head });
    if ("conflicts" in merged) return undefined;
    const people = { author: nobody, committer: nobody };
    const written = { tree: merged.tree, parents: [onto], message: "", ...people, date };
    const commit = await commitTree({ directory, env }, written);
    const needed = { tips: [commit], has: [onto, head] };
    await packMissing(git, { directory, env, ...needed, quarantine: made, signal });
    await movePacks(made, directory);
    return commit;
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
