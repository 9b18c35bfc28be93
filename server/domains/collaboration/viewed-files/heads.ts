/** Which commits were heads of a merge request, and the files that it changes or changed at one of them. */
import type { MergeRequest } from "@forgeline/schemas/merge-requests/resource.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import type { ListedChange } from "../../../platform/git/history/listed-changes.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { CommitService } from "../../hosting/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { hasSeen, wasHead } from "./viewed-files.store.ts";

export interface Heads {
  /** One of its commits, or a head that the user saw before a force push has replaced it. */
  maySee(
    repository: RepositoryRef,
    found: MergeRequest,
    { userId, sha }: { userId: string; sha: string },
  ): Promise<boolean>;
  /** Also a head that a force push has replaced, which nobody may read any more by its id alone. */
  hadOnce(repository: RepositoryRef, found: MergeRequest, sha: string): Promise<boolean>;
  /** From the merge base; none where the branches share no history, and where the head is not kept any more. */
  filesAt(repository: RepositoryRef, found: MergeRequest, head: string): Promise<ListedChange[]>;
  /** undefined where the commit is not kept any more. */
  treeOf(repository: RepositoryRef, sha: string): Promise<string | undefined>;
}

export interface HeadsDeps extends Pick<Platform, "git" | "storage"> {
  db: Database;
  commits: Pick<CommitService, "info">;
  history: Pick<RepositoryHistory, "listChanges" | "mergeBase">;
}

/** Whether somebody has looked at a head, or reviewed it, before a force push replaced it. */
export type SawHead = (reader: { id: string; userId: string }, sha: string) => Promise<boolean>;

export function createSawHead(db: Queryable): SawHead {
  return (reader, sha) => hasSeen(db, reader, sha);
}

export function createHeads({ db, git, storage, commits, history }: HeadsDeps): Heads {
  const contains = (repository: RepositoryRef, tip: string, commit: string) =>
    isAncestor(git.run, {
      directory: storage.directory(repository.id),
      quarantine: null,
      before: commit,
      after: tip,
    });

  const treeOf: Heads["treeOf"] = async (repository, sha) => {
    try {
      return (await commits.info(repository, sha)).tree;
    } catch (error) {
      if (error instanceof AppError && error.code === "not_found") return undefined;
      throw error;
    }
  };

  const has: Heads["hadOnce"] = async (repository, found, sha) => {
    if (sha === found.head_sha) return true;
    const isIn = await contains(repository, found.head_sha, sha);
    return isIn && !(await contains(repository, found.merge_base_sha ?? found.base_sha, sha));
  };

  return {
    maySee: async (repository, found, { userId, sha }) =>
      (await hasSeen(db, { id: found.id, userId }, sha)) || has(repository, found, sha),
    hadOnce: async (repository, found, sha) =>
      (await wasHead(db, found.id, sha)) || has(repository, found, sha),
    treeOf,
    async filesAt(repository, found, head) {
      const after = await treeOf(repository, head);
      if (after === undefined) return [];
      const isPresent = head === found.head_sha;
      const base = isPresent
        ? found.merge_base_sha
        : await history.mergeBase(repository.id, found.base_sha, head);
      if (!base) return [];
      const before = await treeOf(repository, base);
      if (before === undefined) return [];
      return (await history.listChanges(repository.id, { before, after })).files;
    },
  };
}
