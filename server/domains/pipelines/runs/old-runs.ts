/**
 * Removes runs, and logs of runs, whose time is over. The newest run of each file on a branch stays as long as the branch does,
 * and so does the run of what an environment has now, both with their logs.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { replaceLogs } from "../logs/remove-logs.ts";
import * as store from "./old-runs.store.ts";

export interface OldRunsDeps {
  db: Database;
  objects: ObjectStore;
  files: Pick<RepositoryFiles, "resolveRef">;
}

export interface OldRuns {
  /** How many; may run again after an interruption. */
  removeLogs(repositoryId: string, days: number, signal?: AbortSignal): Promise<number>;
  /** As above, of whole runs. Those with artifacts wait until these are gone. */
  removeRuns(repositoryId: string, days: number, signal?: AbortSignal): Promise<number>;
}

export function createOldRuns({ db, objects, files }: OldRunsDeps): OldRuns {
  async function isKept(repositoryId: string, { newest, branch, deployed }: store.OldRun): Promise<boolean> {
    if (deployed) return true;
    if (!newest || branch === null) return false;
    return (await files.resolveRef(repositoryId, `refs/heads/${branch}`)) !== undefined;
  }

  /** What is left alone is passed over. */
  async function each(
    { repositoryId, days, signal }: { repositoryId: string; days: number; signal: AbortSignal | undefined },
    work: (run: store.OldRun) => Promise<boolean>,
  ): Promise<number> {
    let done = 0;
    let after: number | undefined = 0;
    do {
      const runs: store.OldRun[] = await store.listOld(db, { repositoryId, days, after });
      after = runs.at(-1)?.number;
      for (const run of runs)
        if (!signal?.aborted && !(await isKept(repositoryId, run)) && (await work(run))) done += 1;
    } while (after !== undefined && !signal?.aborted);
    return done;
  }

  /** Before the run, so that a process that dies in between leaves no object without a row. */
  async function withoutLogs({ id, has_logs: hasLogs }: store.OldRun): Promise<boolean> {
    if (hasLogs) await replaceLogs({ db, objects }, id, (tx) => store.markWithoutLogs(tx, id));
    return hasLogs;
  }

  return {
    removeLogs: (repositoryId, days, signal) => each({ repositoryId, days, signal }, withoutLogs),
    removeRuns: (repositoryId, days, signal) =>
      each({ repositoryId, days, signal }, async (run) => {
        if (run.has_artifacts) return false;
        await withoutLogs(run);
        return store.remove(db, run.id, days);
      }),
  };
}
