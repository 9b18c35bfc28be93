/** Compares two commits: the commits that only one of them has, and what changed since their merge base. */
import type { Comparison } from "@forgeline/schemas/commits/resource.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { repositoryAddress } from "../repositories/repository-address.ts";
import { presentChange } from "./present.ts";
import { changeLimits, versionOf, type CommitService } from "./service.ts";

export interface CommitComparison {
  /** `basehead`: `BASE...HEAD`, each as for `CommitService.resolve`. Throws `not_found`. */
  get(repository: RepositoryRef, basehead: string, revalidate: Revalidate): Promise<Comparison>;
}

export interface CommitComparisonDeps {
  commits: Pick<CommitService, "resolve" | "info" | "show">;
  history: RepositoryHistory;
  addresses: Addresses;
}

/** Full ids. */
interface Points {
  base: string;
  head: string;
}

const maxCommits = 250;

export function createCommitComparison(deps: CommitComparisonDeps): CommitComparison {
  const { commits, history } = deps;

  async function pointsIn(repository: RepositoryRef, basehead: string): Promise<Points> {
    const [baseName = "", headName = "", ...more] = basehead.split("...");
    if (more.length > 0) throw new AppError("not_found");
    const [base, head] = await Promise.all([
      commits.resolve(repository, baseName),
      commits.resolve(repository, headName),
    ]);
    return { base: base.sha, head: head.sha };
  }

  async function compare(repository: RepositoryRef, { base, head }: Points) {
    const news = { sha: head, without: base };
    const [mergeBase, ahead, behind, shas] = await Promise.all([
      history.mergeBase(repository.id, base, head),
      history.count(repository.id, news),
      history.count(repository.id, { sha: base, without: head }),
      history.list(repository.id, news, { offset: 0, limit: maxCommits }),
    ]);
    const [before, after] = await Promise.all([
      commits.info(repository, mergeBase ?? base),
      commits.info(repository, head),
    ]);
    const range = { before: before.tree, after: after.tree };
    const changes = await history.changedFiles(repository.id, range, changeLimits);
    return { ahead, behind, mergeBase, shas, changes };
  }

  return {
    async get(repository, basehead, revalidate) {
      const points = await pointsIn(repository, basehead);
      const { base, head } = points;
      const { ahead, behind, mergeBase, shas, changes } = await compare(repository, points);
      const [listed, [baseCommit, headCommit, mergeBaseCommit]] = await Promise.all([
        commits.show(repository, shas),
        commits.show(repository, [base, head, ...(mergeBase ? [mergeBase] : [])]),
      ]);
      if (!baseCommit || !headCommit) throw new AppError("not_found");
      revalidate(versionOf(`${base} ${head}`, [baseCommit, headCommit, ...listed]));
      const address = repositoryAddress(deps.addresses, repository);
      return {
        status: statusOf(ahead, behind),
        ahead_by: ahead,
        behind_by: behind,
        base_commit: baseCommit,
        head_commit: headCommit,
        merge_base_commit: mergeBaseCommit ?? null,
        commits: listed,
        files: changes.files.map(presentChange),
        files_truncated: changes.truncated,
        url: address.api("compare", basehead),
        web_url: address.web("compare", basehead),
      };
    },
  };
}

function statusOf(ahead: number, behind: number): Comparison["status"] {
  if (ahead > 0) return behind > 0 ? "diverged" : "ahead";
  return behind > 0 ? "behind" : "identical";
}
