/**
 * Makes one commit of what lies between two commits, on top of a third one: what git-cherry-pick(1) does, and in the other direction
 * git-revert(1), without a working tree and whatever lies between.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { movePacks } from "../objects/move-packs.ts";
import { quarantineEnvironment } from "../objects/received-objects.ts";
import type { Git } from "../processes/run-git.ts";
import type { SignCommit } from "../signatures/sign-commit.ts";
import { commitTree, treeOf, type Person } from "./commit-tree.ts";
import { mergeTrees } from "./merge-commits.ts";
import { packMissing } from "./pack-missing.ts";

/** Full ids of commits of the repository. */
export interface ChangeToApply {
  from: string;
  to: string;
  onto: string;
  message: string;
  author: Person;
  committer: Person;
  sign?: SignCommit | undefined;
}

/** `nothing`: `onto` has it already. Paths are those that `onto` has otherwise, the first hundred by name. */
export type AppliedChange = { commit: string } | { conflicts: string[] } | { impossible: "nothing" };

const nobody: Person = { name: "Forgeline", email: "noreply@invalid" };

/** Moves no ref. May be repeated. Throws `GitError`, and the signal's reason. */
export async function applyChange(
  git: Git,
  { directory, signal }: { directory: string; signal: AbortSignal },
  { from, to, onto, message, author, committer, sign }: ChangeToApply,
): Promise<AppliedChange> {
  const made = await mkdtemp(join(directory, "objects", "tmp_objdir-merge-"));
  try {
    const place = { directory, env: quarantineEnvironment({ directory, quarantine: made }), signal };
    // Git finds the base of a merge by itself, so both sides get a commit that begins where the change does.
    const helper = (tree: string) =>
      commitTree(place, { tree, parents: [from], message: "", author: nobody, committer: nobody });
    const before = await treeOf(git.run, place, onto);
    const sides = { ours: await helper(before), theirs: await helper(await treeOf(git.run, place, to)) };
    const merged = await mergeTrees(git.run, place, sides);
    if ("conflicts" in merged) return merged;
    if (merged.tree === before) return { impossible: "nothing" };
    const written = { tree: merged.tree, parents: [onto], message, author, committer, sign };
    const commit = await commitTree(place, written);
    const needed = { tips: [commit], has: [from, to, onto] };
    await packMissing(git, { directory, env: place.env, ...needed, quarantine: made, signal });
    await movePacks(made, directory);
    return { commit };
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
