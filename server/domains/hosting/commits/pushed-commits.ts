/** The commits that a push brought to a branch, as others are told of them. */
import type { Commit } from "@forgeline/schemas/commits/resource.ts";
import type { RepositoryHistory } from "../../../platform/git/storage/repository-history.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import type { RepositorySnapshot } from "../repositories/present.ts";
import { refOfRow } from "../repositories/ref-of-row.ts";
import type { CommitService } from "./service.ts";

export interface PushedCommitsResult {
  /** Oldest first, the newest 100. None if the repository no longer has them. */
  commits: Commit[];
  total_commits: number;
  /** The branch had commits that it no longer has. */
  forced: boolean;
}

/** Of an update that does not delete the branch. */
export type PushedCommits = (
  repository: RepositorySnapshot,
  update: RefUpdate,
) => Promise<PushedCommitsResult>;

const maxCommits = 100;
const nothing: PushedCommitsResult = { commits: [], total_commits: 0, forced: false };

export function createPushedCommits(deps: {
  commits: Pick<CommitService, "show">;
  history: RepositoryHistory;
  files: RepositoryFiles;
}): PushedCommits {
  const { history, files } = deps;

  /** What the branch is compared with: where it was, or the default branch if it is new. */
  async function baseOf({ id, default_branch: branch }: RepositorySnapshot, { ref, before }: RefUpdate) {
    if (before !== zeroId) return before;
    if (ref === `refs/heads/${branch}`) return undefined;
    return (await files.resolveRef(id, `refs/heads/${branch}`))?.sha;
  }

  return async (snapshot, update) => {
    const { id } = snapshot;
    if (!(await files.commitInfo(id, update.after))) return nothing;
    const base = await baseOf(snapshot, update);
    // A base that a force push removed may be gone by now.
    const isThere = base !== undefined && (await files.commitInfo(id, base)) !== undefined;
    const query = { sha: update.after, ...(isThere ? { without: base } : {}) };
    const newest = await history.list(id, query, { offset: 0, limit: maxCommits });
    const [commits, total, mergeBase] = await Promise.all([
      deps.commits.show(refOfRow(snapshot), newest.toReversed()),
      newest.length < maxCommits ? newest.length : history.count(id, query),
      update.before !== zeroId && isThere
        ? history.mergeBase(id, update.before, update.after)
        : update.before,
    ]);
    const forced = update.before !== zeroId && mergeBase !== update.before;
    return { commits, total_commits: total, forced: forced || (base !== undefined && !isThere) };
  };
}
