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

export interface ResultSweepDeps extends ResultDeps {
  db: Database;
  logger: Logger;
}

/** Lets go of results that no run can use any more. */
export function createResultSweep({ db, git, storage, logger }: ResultSweepDeps): PeriodicTask {
  /** The row goes first, so that a result that is used again meanwhile keeps its ref; both go, or neither. */
  async function drop(unused: store.UnusedResult): Promise<void> {
    const { repository_id: repositoryId, number, sha } = unused;
    const directory = storage.directory(repositoryId);
    const ref = refOf({ repositoryId, number }, sha);
    await db.transaction(async (tx) => {
      if (!(await store.forgetUnused(tx, unused))) return;
      await git.run({ directory, args: ["update-ref", "--no-deref", "-d", ref] });
    });
  }
  return {
    name: "drop_merged_results",
    everyMs: sweepMs,
    atStart: false,
    async run(signal) {
      for (const unused of await store.findUnused(db)) {
        if (signal.aborted) return;
        try {
          await drop(unused);
        } catch (error) {
          // One broken repository must not keep those of others; nor may its results fill what is found at once.
          const { repository_id: repositoryId, number, sha } = unused;
          const facts = { err: error, repository_id: repositoryId, number, sha };
          logger.warn(facts, "could not drop a merged result; it will be tried again");
          await store.postpone(db, unused);
        }
      }
    },
  };
}
