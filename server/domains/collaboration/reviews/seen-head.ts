/** The head that somebody saw who reviews: the one now, or an earlier one of the same merge request. */
import { invalidField } from "../../../platform/app-error.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { isAncestor } from "../../../platform/git/history/is-ancestor.ts";
import type { Platform } from "../../../platform/platform.ts";
import { createSawHead } from "../viewed-files/heads.ts";
import { hadHead, type ReviewedRow } from "./places.store.ts";

interface Seen {
  /** Null: nobody, who has seen nothing. */
  userId: string | null;
  sha: string;
}

/**
 * Throws `validation_failed` for a commit that the merge request never had, and for a head that a force push has removed before this user
 * looked at it or reviewed it: whoever comments on its lines is shown them.
 */
export type CheckSeenHead = (repositoryId: string, row: ReviewedRow, seen: Seen) => Promise<void>;

export function createSeenHeadCheck({
  db,
  git,
  storage,
}: Pick<Platform, "git" | "storage"> & { db: Queryable }): CheckSeenHead {
  const sawHead = createSawHead(db);
  const contains = (repositoryId: string, tip: string, commit: string) =>
    isAncestor(git.run, {
      directory: storage.directory(repositoryId),
      quarantine: null,
      before: commit,
      after: tip,
    });

  /** What the target branch had before is none of its commits, unless it was its head once. */
  async function has(repositoryId: string, row: ReviewedRow, sha: string): Promise<boolean> {
    if (!(await contains(repositoryId, row.head_sha, sha))) return false;
    if (await hadHead(db, row.id, sha)) return true;
    return !(await contains(repositoryId, row.merge_base_sha ?? row.target_sha, sha));
  }

  return async (repositoryId, row, { userId, sha }) => {
    if (sha === row.head_sha || (await has(repositoryId, row, sha))) return;
    if (userId !== null && (await sawHead({ id: row.id, userId }, sha))) return;
    throw invalidField("commit_sha", "unknown", unknownText);
  };
}

const unknownText = "The merge request does not have this commit, or not any more: look at its head.";
