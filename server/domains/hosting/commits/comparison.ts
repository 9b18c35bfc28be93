/** Compares two commits, of one repository or of two forks: the commits that only one of them has, and what changed since their merge base. */
import type { Comparison } from "@forgeline/schemas/commits/resource.ts";
import type { CompareQuery } from "@forgeline/schemas/commits/routes.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import { conflictsBetween } from "../../../platform/git/merging/conflicts-between.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { repositoryAddress } from "../repositories/repository-address.ts";
import { findDivergence, type Divergence, type DivergenceDeps, type Points } from "./divergence.ts";
import { findHeadRepository, type HeadRepositoryDeps } from "./head-repository.ts";
import { presentChange } from "./present.ts";
import { changeLimits, versionOf, type CommitService } from "./service.ts";

export interface CommitComparison {
  /** `basehead`: `BASE...HEAD`, each as for `CommitService.resolve` in its repository. Throws `not_found`. */
  get(
    asked: { actor: Actor; repository: RepositoryRef },
    question: CompareQuery & { basehead: string },
    revalidate: Revalidate,
  ): Promise<Comparison>;
}

export interface CommitComparisonDeps extends HeadRepositoryDeps, Omit<DivergenceDeps, "history"> {
  commits: Pick<CommitService, "resolve" | "info" | "show">;
  history: RepositoryHistory;
  addresses: Addresses;
}

/** For whoever waits; merging large trees can take longer. */
const patienceMs = 15_000;

export function createCommitComparison(deps: CommitComparisonDeps): CommitComparison {
  const { commits, history, git, storage } = deps;

  async function pointsIn(here: RepositoryRef, there: RepositoryRef, basehead: string): Promise<Points> {
    const [baseName = "", headName = "", ...more] = basehead.split("...");
    if (more.length > 0) throw new AppError("not_found");
    const [base, head] = await Promise.all([
      commits.resolve(here, baseName),
      commits.resolve(there, headName),
    ]);
    return { base: { repository: here, sha: base.sha }, head: { repository: there, sha: head.sha } };
  }

  /** Both sides are read where the head is, which has the merge base too. */
  async function changesOf({ base, head }: Points, mergeBase: string | undefined) {
    const start = mergeBase ?? (base.repository.id === head.repository.id ? base.sha : undefined);
    if (start === undefined) return { files: [], truncated: false };
    const [before, after] = await Promise.all([
      commits.info(head.repository, start),
      commits.info(head.repository, head.sha),
    ]);
    const range = { before: before.tree, after: after.tree };
    return history.changedFiles(head.repository.id, range, changeLimits);
  }

  async function conflictsOf(
    { base, head }: Points,
    { mergeBase, ahead }: Divergence,
  ): Promise<string[] | null> {
    if (mergeBase === undefined) return null;
    if (ahead === 0) return [];
    const signal = AbortSignal.timeout(patienceMs);
    const [directory, other] = [storage.directory(base.repository.id), storage.directory(head.repository.id)];
    const ends = { ours: base.sha, theirs: head.sha };
    return conflictsBetween(git, { directory, other, signal }, ends).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
  }

  /** Each with the address of where it is; the merge base is in both. */
  async function showEnds({ base, head }: Points, mergeBase: string | undefined) {
    const last = mergeBase === undefined ? [] : [mergeBase];
    const isOne = base.repository.id === head.repository.id;
    const [ofBase, ofHead] = await Promise.all([
      isOne ? [] : commits.show(base.repository, [base.sha]),
      commits.show(head.repository, [...(isOne ? [base.sha] : []), head.sha, ...last]),
    ]);
    const [baseCommit, headCommit, mergeBaseCommit = null] = [...ofBase, ...ofHead];
    if (!baseCommit || !headCommit) throw new AppError("not_found");
    return { base_commit: baseCommit, head_commit: headCommit, merge_base_commit: mergeBaseCommit };
  }

  return {
    async get({ actor, repository }, { basehead, head_repo: headRepo, conflicts: wanted }, revalidate) {
      const there = await findHeadRepository(deps, { actor, repository }, headRepo);
      const points = await pointsIn(repository, there, basehead);
      const found = await findDivergence(deps, points);
      const { ahead, behind, mergeBase } = found;
      const [changes, conflicts, ends, listed] = await Promise.all([
        changesOf(points, mergeBase),
        wanted === "true" ? conflictsOf(points, found) : null,
        showEnds(points, mergeBase),
        commits.show(there, found.shas),
      ]);
      const version = `${points.base.sha} ${points.head.sha} ${conflicts?.length}`;
      revalidate(versionOf(version, [ends.base_commit, ends.head_commit, ...listed]));
      const address = repositoryAddress(deps.addresses, repository);
      const query = headRepo === undefined ? "" : `?head_repo=${encodeURIComponent(headRepo)}`;
      return {
        status: statusOf(ahead, behind),
        ahead_by: ahead,
        behind_by: behind,
        ...ends,
        commits: listed,
        files: changes.files.map(presentChange),
        files_truncated: changes.truncated,
        conflicts,
        url: address.api("compare", basehead) + query,
        web_url: address.web("compare", basehead) + query,
      };
    },
  };
}

function statusOf(ahead: number, behind: number): Comparison["status"] {
  if (ahead > 0) return behind > 0 ? "diverged" : "ahead";
  return behind > 0 ? "behind" : "identical";
}
