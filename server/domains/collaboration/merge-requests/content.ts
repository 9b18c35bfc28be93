/** What a merge request brings: its commits, and the files that they change. */
import type { Commit } from "@forgeline/schemas/commits/resource.ts";
import type { ChangesQuery } from "@forgeline/schemas/commits/routes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import type { Revalidate } from "../../../platform/http/revalidate.ts";
import type { ChangedFiles, ChangedFilesPage, CommitService } from "../../hosting/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { findMergeRequest } from "./merge-requests.store.ts";

export interface MergeRequestContent {
  /** Newest first. Throws `not_found`. */
  commits(
    repository: RepositoryRef,
    wanted: PageQuery & { number: number },
  ): Promise<{ items: Commit[]; total: number }>;
  /** From the merge base to the head. Throws `not_found`. */
  files(
    repository: RepositoryRef,
    wanted: ChangesQuery & { number: number },
    revalidate: Revalidate,
  ): Promise<ChangedFilesPage>;
}

export interface MergeRequestContentDeps {
  db: Database;
  commits: Pick<CommitService, "show">;
  changedFiles: Pick<ChangedFiles, "list">;
  history: Pick<RepositoryHistory, "list" | "count">;
}

export function createMergeRequestContent(deps: MergeRequestContentDeps): MergeRequestContent {
  const { db, history } = deps;

  async function found(repository: RepositoryRef, number: number) {
    const row = await findMergeRequest(db, repository.id, number);
    if (!row) throw new AppError("not_found");
    return row;
  }

  return {
    async commits(repository, { number, page, per_page: limit }) {
      const { head_sha: sha, target_sha: without } = await found(repository, number);
      const [shas, total] = await Promise.all([
        history.list(repository.id, { sha, without }, { offset: (page - 1) * limit, limit }),
        history.count(repository.id, { sha, without }),
      ]);
      return { items: await deps.commits.show(repository, shas), total };
    },
    async files(repository, { number, ...query }, revalidate) {
      const { head_sha: head, merge_base_sha: base } = await found(repository, number);
      // Of branches that share no history nobody can say what one changes in the other.
      if (base === null) return { files: [], total: 0, truncated: false };
      return deps.changedFiles.list(repository, { ...query, basehead: `${base}...${head}` }, revalidate);
    },
  };
}
