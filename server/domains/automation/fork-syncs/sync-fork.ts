/**
 * The work of one sync of a fork. Objects are compared and merged where Git sees both repositories; what the fork lacks comes into it
 * as one pack, which is judged as a push, and all branches move at once. Neither repository ever serves an object of the other.
 */
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { ForkBranch, ForkConflict } from "@forgeline/schemas/fork-syncs/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import {
  combinedEnvironment,
  placeIn,
  withCombinedObjects,
  type CombinedObjects,
  type CombinedPlace,
} from "../../../platform/git/merging/combined-objects.ts";
import type { Person } from "../../../platform/git/merging/commit-tree.ts";
import { mergeCommits, mergeTrees } from "../../../platform/git/merging/merge-commits.ts";
import { packMissing } from "../../../platform/git/merging/pack-missing.ts";
import { enterScratchRepository } from "../../../platform/git/remote/scratch-repository.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import { allRefs } from "../../../platform/git/refs/refs.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { ExamineContent, PushService } from "../../hosting/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { LfsObject } from "../mirrors/lfs-server.ts";
import type { ForkOutcome } from "./fork-syncs.store.ts";
import { isMerge, moves, planBranches, statusOf, type BranchPlan, type Heads } from "./plan-branches.ts";

export interface ForkWorkDeps {
  git: Git;
  storage: RepositoryStorage;
  pushes: Pick<PushService, "take">;
  examineContent: ExamineContent;
}

export interface ForkWork {
  fork: RepositoryRef;
  upstream: RepositoryRef;
  branch: string | null;
  /** Writes the branches, and is the author of merges. */
  actor: Actor;
  author: Person;
  signal: AbortSignal;
  /** To be called with what is about to be done. */
  plan(branches: readonly ForkBranch[]): Promise<void>;
  /** Takes large files that the fork does not have. */
  takeLfs(largeFiles: readonly LfsObject[]): Promise<void>;
}

const scratchName = "fork";

/** What would be done; changes nothing. Throws `ForkProblem`, and the signal's reason. */
export async function lookAhead(
  deps: ForkWorkDeps,
  { fork, upstream, branch, signal }: Pick<ForkWork, "fork" | "upstream" | "branch" | "signal">,
): Promise<ForkOutcome> {
  return withCombinedObjects(placeOf(deps, { fork, upstream }), async (combined) => {
    const place = placeIn(combined, signal);
    const { plans } = await plansOf(deps, { combined, place, branch });
    const conflicts: ForkConflict[] = [];
    for (const { name, here, there } of plans.filter(isMerge)) {
      const merged = await mergeTrees(deps.git.run, place, { ours: here ?? "", theirs: there });
      if ("conflicts" in merged) conflicts.push({ branch: name, paths: merged.conflicts });
    }
    const branches = plans.map((plan) => shown(plan, isMerge(plan) ? null : afterOf(plan)));
    return outcomeOf(branches, conflicts);
  });
}

/** Throws `ForkProblem`, what a push is refused with, `unavailable`, and the signal's reason. */
export async function syncFork(deps: ForkWorkDeps, work: ForkWork): Promise<ForkOutcome> {
  const place = placeOf(deps, work);
  const scratch = await enterScratchRepository(deps.git, place.directory, scratchName);
  if (!scratch)
    throw new AppError("unavailable", { message: "Another sync of this fork has not ended yet." });
  try {
    const combined = { ...place, made: await mkdtemp(join(scratch.directory, "made-")) };
    const { branch, signal } = work;
    const at = placeIn(combined, signal);
    const { plans, here } = await plansOf(deps, { combined, place: at, branch });
    const merged = await mergeAll(deps, at, { plans, work });
    const branches = plans.map((plan) => shown(plan, merged.commits.get(plan.name) ?? afterOf(plan)));
    const outcome = outcomeOf(branches, merged.conflicts);
    if (outcome.status === "conflict" || outcome.status === "up_to_date") return outcome;
    await work.plan(branches);
    await take(deps, work, { combined, branches, here, quarantine: scratch.objects });
    return outcome;
  } finally {
    // With what an earlier sync has left that was cut off.
    await scratch.leave({ keep: false });
  }
}

function placeOf({ storage }: ForkWorkDeps, { fork, upstream }: Pick<ForkWork, "fork" | "upstream">) {
  return { directory: storage.directory(fork.id), other: storage.directory(upstream.id) };
}

async function plansOf(
  { git }: ForkWorkDeps,
  { combined, place, branch }: { combined: CombinedObjects; place: CombinedPlace; branch: string | null },
): Promise<{ plans: BranchPlan[]; here: Heads }> {
  const [here, there] = await Promise.all([headsOf(git, combined.directory), headsOf(git, combined.other)]);
  return { plans: await planBranches(git.run, place, { here, there, branch }), here };
}

const heads = "refs/heads/";

async function headsOf(git: Git, directory: string): Promise<Heads> {
  const refs = await allRefs(git.start, directory);
  return new Map(
    [...refs].filter(([ref]) => ref.startsWith(heads)).map(([ref, oid]) => [ref.slice(heads.length), oid]),
  );
}

const afterOf = (plan: BranchPlan): string => (moves(plan) ? plan.there : (plan.here ?? plan.there));

function shown({ name, here, behind, ahead }: BranchPlan, after: string | null): ForkBranch {
  return { name, before: here, after, behind, ahead };
}

function outcomeOf(branches: readonly ForkBranch[], conflicts: readonly ForkConflict[]): ForkOutcome {
  return { status: conflicts.length > 0 ? "conflict" : statusOf(branches), branches, conflicts };
}

async function mergeAll(
  { git }: ForkWorkDeps,
  place: CombinedPlace,
  { plans, work: { upstream, author } }: { plans: readonly BranchPlan[]; work: ForkWork },
): Promise<{ commits: Map<string, string>; conflicts: ForkConflict[] }> {
  const commits = new Map<string, string>();
  const conflicts: ForkConflict[] = [];
  for (const { name, here, there } of plans.filter(isMerge)) {
    const message = `Merge branch '${name}' of ${upstream.owner}/${upstream.name}\n`;
    const merged = await mergeCommits(git.run, place, { ours: here ?? "", theirs: there, message, author });
    if ("conflicts" in merged) conflicts.push({ branch: name, paths: merged.conflicts });
    else commits.set(name, merged.commit);
  }
  return { commits, conflicts };
}

interface Taken {
  combined: CombinedObjects;
  branches: readonly ForkBranch[];
  here: Heads;
  quarantine: string;
}

async function take(
  { git, pushes, examineContent }: ForkWorkDeps,
  { fork, actor, signal, takeLfs }: ForkWork,
  { combined, branches, here, quarantine }: Taken,
): Promise<void> {
  const { directory } = combined;
  const moved = branches.filter(({ before, after }) => before !== after);
  await packMissing(git, {
    directory,
    env: combinedEnvironment(combined),
    tips: moved.map(({ after }) => after ?? ""),
    has: [...new Set(here.values())],
    quarantine,
    signal,
  });
  crashPoint("fork.packed-before-judged");
  const { tooLarge, largeFiles } = await examineContent({ directory, quarantine, everywhere: false });
  await takeLfs(largeFiles);
  const updates = moved.map(({ name, before, after }) => ({
    ref: `${heads}${name}`,
    before: before ?? zeroId,
    after: after ?? zeroId,
  }));
  await pushes.take(fork, { updates, quarantine, tooLarge }, actor);
}
