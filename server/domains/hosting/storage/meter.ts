/**
 * Measures repositories in the background of every server, one at a time, the longest due first. Nothing waits for it, and
 * after a crash it is repeated.
 */
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { countObjectBytes } from "../../../platform/git/storage/count-objects.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { PushFollower } from "../pushes/push.ts";
import {
  adoptUnmarked,
  claimDue,
  keepSizes,
  markDue,
  sumAttachments,
  sumLfsObjects,
  type DueMeasurement,
} from "./measurement.store.ts";

export interface StorageMeter {
  /** The repository's size has changed, or it is new. To be called in the transaction of the change, if there is one. */
  mark(db: Queryable, repositoryId: string): Promise<void>;
  /** Requests a measurement after each push. */
  pushFollower(): PushFollower;
  /** Measures everything that is due now; returns how many. */
  measureDue(): Promise<number>;
  periodicTasks: readonly PeriodicTask[];
}

export interface StorageMeterDeps {
  db: Database;
  storage: Pick<RepositoryStorage, "directory">;
  runGit: RunGit;
  logger: Logger;
  registry: Metrics;
  /** Storage that logs of a repository take. */
  logBytes(repositoryId: string): Promise<number>;
}

const pollMs = 2_000;
const adoptEveryMs = 6 * 3600 * 1000;
const batch = 20;

export function createStorageMeter(deps: StorageMeterDeps): StorageMeter {
  const { db, logger } = deps;
  const outcomes = createCounter(deps.registry, "forgeline_storage_measurements_total");

  async function measure(due: DueMeasurement): Promise<void> {
    const id = due.repository_id;
    try {
      const gitBytes = await countObjectBytes(deps.runGit, deps.storage.directory(id));
      const [logBytes, lfsBytes] = [await deps.logBytes(id), await sumLfsObjects(db, id)];
      const attachmentBytes = await sumAttachments(db, id);
      await keepSizes(db, due, { gitBytes, logBytes, lfsBytes, attachmentBytes });
      outcomes.inc({ outcome: "measured" });
    } catch (error) {
      outcomes.inc({ outcome: "failed" });
      logger.warn({ repository_id: id, error: (error as Error).message }, "could not measure a repository");
    }
  }

  /** Another server later retries what was claimed at the end. */
  async function measureWhile(goesOn: () => boolean): Promise<number> {
    let measured = 0;
    for (;;) {
      const claimed = await claimDue(db, batch);
      for (const due of claimed) {
        if (!goesOn()) return measured;
        await measure(due);
        measured += 1;
      }
      if (claimed.length < batch) return measured;
    }
  }

  return {
    mark: markDue,
    pushFollower: () => ({
      prepare: ({ repositoryId }) =>
        Promise.resolve(async (tx) => {
          await markDue(tx, repositoryId);
          return [];
        }),
    }),
    measureDue: () => measureWhile(() => true),
    periodicTasks: [
      {
        name: "measure_repositories",
        everyMs: pollMs,
        atStart: false,
        run: (signal) => measureWhile(() => !signal.aborted),
      },
      {
        name: "find_unmeasured_repositories",
        everyMs: adoptEveryMs,
        atStart: true,
        run: () => adoptUnmarked(db),
      },
    ],
  };
}
