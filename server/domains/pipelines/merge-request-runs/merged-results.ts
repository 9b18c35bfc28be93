/**
 * What runs of merge requests on the merged result check out: a commit that merges the head into the target branch. The ref by which
 * people fetch it moves with both branches, so runs have one of their own, which stays as long as they can use it.
 */
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { makeMergedResult, resultDate } from "../../../platform/git/merging/merged-result.ts";
import type { CommitInfo } from "../../../platform/git/objects/commit.ts";
import { mergeRequestRefs } from "../../../platform/git/refs/names.ts";
import { syncRefs } from "../../../platform/git/refs/refs.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import type { Platform } from "../../../platform/platform.ts";
import * as store from "./merged-results.store.ts";

export interface ResultDeps extends Pick<Platform, "git" | "storage"> {
  db: Queryable;
}

interface Place {
  repositoryId: string;
  number: number;
}

const timeoutMs = 300_000;
const sweepMs = 600_000;

const refOf = ({ number }: Place, sha: string) => `${mergeRequestRefs}/${number}/tested/${sha}`;

/** The commit, kept before it is returned; null where both conflict. Safe to repeat: the same two make the same one. */
export async function makeResult(
  { db, git, storage }: ResultDeps,
  place: Place,
  { head, target }: { head: CommitInfo; target: CommitInfo },
): Promise<string | null> {
  const directory = storage.directory(place.repositoryId);
  const tips = { head: head.sha, target: target.sha, date: resultDate([target, head]) };
  const merged = await makeMergedResult(git, { directory, signal: AbortSignal.timeout(timeoutMs) }, tips);
  if ("conflicts" in merged) return null;
  // Noted first: what is not noted would never be removed.
  await store.noteResult(db, place, { sha: merged.commit, head: head.sha });
  const ref = refOf(place, merged.commit);
  await git.run({ directory, args: ["update-ref", "--no-deref", ref, merged.commit] });
  await syncRefs(directory, [ref]);
  return merged.commit;
}

export interface DropDeps extends ResultDeps {
  db: Database;
  logger: Logger;
}

/** Lets go of results that no run can use any more, and of those of what was removed. */
export function createResultSweep(deps: DropDeps): PeriodicTask {
  const { db, logger } = deps;

  /** One broken repository must not keep the results of others. */
  async function attempt(result: store.KeptResult, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { repository_id: repositoryId, number, sha } = result;
      const facts = { err: error, repository_id: repositoryId, number, sha };
      logger.warn(facts, "could not drop a merged result; it will be tried again");
      // What is stuck may not fill all that is found at once.
      await store.postpone(db, result);
    }
  }

  return {
    name: "drop_merged_results",
    everyMs: sweepMs,
    atStart: false,
    async run(signal) {
      for (const unused of await store.findUnused(db)) {
        if (signal.aborted) return;
        await attempt(unused, () => dropUnused(deps, unused));
      }
      for (const idle of await store.findIdle(db)) {
        if (signal.aborted) return;
        await attempt(idle, () => dropIfRemoved(deps, idle));
      }
    },
  };
}

/**
 * Before a prune: results whose target commit is on no branch and under no tag any more, even if runs use them. They would keep
 * what was removed.
 */
export async function dropRemoved(deps: DropDeps, repositoryId: string): Promise<void> {
  for (const result of await store.listResults(deps.db, repositoryId)) await dropIfRemoved(deps, result);
}

/** The row goes first, so that a result that is used again meanwhile keeps its ref; both go, or neither. */
async function dropUnused(deps: DropDeps, unused: store.KeptResult): Promise<void> {
  await deps.db.transaction(async (tx) => {
    if (await store.forgetUnused(tx, unused)) await deleteRef(deps, unused);
  });
}

async function dropIfRemoved(deps: DropDeps, result: store.KeptResult): Promise<void> {
  if (await isTargetThere(deps, result)) return;
  await deps.db.transaction(async (tx) => {
    await store.forgetResult(tx, result);
    await deleteRef(deps, result);
  });
}

/** Whether a branch or a tag has the commit of the target branch that it was merged into: its first parent. */
async function isTargetThere({ git, storage }: DropDeps, result: store.KeptResult): Promise<boolean> {
  const { exitCode, stdout } = await git.run({
    directory: storage.directory(result.repository_id),
    args: ["for-each-ref", "--count=1", `--contains=${result.sha}^1`, "refs/heads", "refs/tags"],
    // 129: there is no such commit, because the server died before it was kept.
    acceptExitCodes: [0, 129],
  });
  return exitCode === 0 && stdout.length > 0;
}

async function deleteRef({ git, storage }: DropDeps, result: store.KeptResult): Promise<void> {
  const { repository_id: repositoryId, number, sha } = result;
  const ref = refOf({ repositoryId, number }, sha);
  await git.run({
    directory: storage.directory(repositoryId),
    args: ["update-ref", "--no-deref", "-d", ref],
  });
}
