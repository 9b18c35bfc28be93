/** The head that somebody saw who reviews: the one now, or an earlier one of the same merge request. */
import { invalidField } from "../../../platform/app-error.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import type { Platform } from "../../../platform/platform.ts";
import { hadHead, type ReviewedRow } from "./places.store.ts";

/** Throws `validation_failed` for a commit that the merge request never had. */
export type CheckSeenHead = (repositoryId: string, row: ReviewedRow, sha: string) => Promise<void>;

export function createSeenHeadCheck({
  db,
  git,
  storage,
}: Pick<Platform, "git" | "storage"> & { db: Queryable }): CheckSeenHead {
  const contains = (repositoryId: string, tip: string, commit: string) =>
    isAncestor(git.run, {
      directory: storage.directory(repositoryId),
      quarantine: null,
      before: commit,
      after: tip,
    });

  return async (repositoryId, row, sha) => {
    if (sha === row.head_sha || (await hadHead(db, row.id, sha))) return;
    // One of its commits: what the target branch had before is none.
    const base = row.merge_base_sha ?? row.target_sha;
    const isOne =
      (await contains(repositoryId, row.head_sha, sha)) && !(await contains(repositoryId, base, sha));
    if (!isOne) throw invalidField("commit_sha", "unknown", "The merge request never had this commit.");
  };
}
