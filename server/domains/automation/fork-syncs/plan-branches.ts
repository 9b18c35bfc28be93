/** What a sync has to do with each branch of a fork. */
import type { ForkBranch } from "@forgeline/schemas/fork-syncs/resource.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { CombinedPlace } from "../../../platform/git/merging/combined-objects.ts";
import { countDivergence } from "../../../platform/git/merging/count-divergence.ts";

export type Heads = ReadonlyMap<string, string>;

export interface BranchPlan {
  name: string;
  /** Null for one that only the upstream has. */
  here: string | null;
  there: string;
  behind: number;
  ahead: number;
}

/** It cannot be done, whatever the content: a sentence. */
export class ForkProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ForkProblem";
  }
}

/** A process each; a fork that differs in more is synced branch by branch. */
const maxDifferent = 200;

/** `branch`, or every one that both have; by name. Throws `ForkProblem`. */
export async function planBranches(
  runGit: RunGit,
  place: CombinedPlace,
  { here, there, branch }: { here: Heads; there: Heads; branch: string | null },
): Promise<BranchPlan[]> {
  if (branch !== null && !there.has(branch)) throw new ForkProblem(`The upstream has no branch ${branch}.`);
  const names = branch === null ? [...there.keys()].filter((name) => here.has(name)).toSorted() : [branch];
  const different = names.filter((name) => here.get(name) !== there.get(name));
  if (different.length > maxDifferent)
    throw new ForkProblem(
      `${different.length} branches differ, and ${maxDifferent} can be synced at once: name a branch.`,
    );
  const plans: BranchPlan[] = [];
  for (const name of names) {
    const [mine = null, theirs = ""] = [here.get(name), there.get(name)];
    const distance =
      mine === null
        ? await countNew(runGit, place, { there: theirs, here })
        : await countDivergence(runGit, place, { here: mine, there: theirs });
    plans.push({ name, here: mine, there: theirs, ...distance });
  }
  return plans;
}

/** Commits that no branch of the fork has. */
async function countNew(
  runGit: RunGit,
  place: CombinedPlace,
  { there, here }: { there: string; here: Heads },
): Promise<{ behind: number; ahead: number }> {
  const { stdout } = await runGit({
    ...place,
    args: ["rev-list", "--count", "--stdin"],
    input: [there, ...[...new Set(here.values())].map((oid) => `^${oid}`), ""].join("\n"),
    timeoutMs: 120_000,
  });
  return { behind: Number(stdout.toString("latin1").trim()), ahead: 0 };
}

export const isMerge = ({ behind, ahead }: Pick<ForkBranch, "behind" | "ahead">): boolean =>
  behind > 0 && ahead > 0;

/** Whether the branch changes. */
export function moves({ here, behind }: BranchPlan): boolean {
  return here === null || behind > 0;
}

/** What the outcome is called, from what was or will be done. */
export function statusOf(branches: readonly ForkBranch[]): "up_to_date" | "fast_forwarded" | "merged" {
  const moved = branches.filter(({ before, behind }) => before === null || behind > 0);
  if (moved.some(isMerge)) return "merged";
  return moved.length > 0 ? "fast_forwarded" : "up_to_date";
}
