/** Removes caches that nobody used for long, the objects of those that were removed, and what uploads of lost attempts have left. */
import type { CacheLimits } from "../../../config/caches.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { removeObjects } from "../../../platform/objects/remove-objects.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { cachePrefix } from "./cache-part-key.ts";
import * as store from "./listed-cache.store.ts";
import type { CacheMetrics } from "./metrics.ts";

const everyMs = 10 * 60 * 1000;

export interface CacheCleanup {
  /** May run in many processes, and again after a crash. */
  sweep(signal?: AbortSignal): Promise<void>;
  upkeepTasks: readonly UpkeepTask[];
}

export function createCacheCleanup(deps: {
  db: Database;
  objects: ObjectStore;
  limits: Pick<CacheLimits, "unusedDays">;
  metrics: CacheMetrics;
}): CacheCleanup {
  const { db, objects, limits, metrics } = deps;

  async function expire(): Promise<number> {
    const count = await store.removeUnused(db, limits.unusedDays);
    metrics.removed.inc({ why: "unused" }, count);
    return count;
  }

  /** Objects before rows: a server that dies in between leaves a row, with which the next sweep goes on. */
  async function removeSome(): Promise<number> {
    const rows = await store.listRemovable(db);
    for (const { id, repository_id: repositoryId } of rows)
      await removeObjects(objects, `${cachePrefix(repositoryId)}${id}/`);
    await store.forget(
      db,
      rows.map(({ id }) => id),
    );
    return rows.length;
  }

  async function sweep(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await expire()) > 0);
    while (!signal?.aborted && (await removeSome()) > 0);
  }

  return { sweep, upkeepTasks: [{ name: "remove_old_caches", everyMs, run: (signal) => sweep(signal) }] };
}

/** All of a repository; the rows are deleted with the repository's row. May run again. */
export function removeCaches(objects: ObjectStore, repositoryId: string): Promise<void> {
  return removeObjects(objects, cachePrefix(repositoryId));
}
