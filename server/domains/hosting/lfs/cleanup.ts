/**
 * Removes what unfinished uploads have left: expired reservations with their objects in the store, and drafts of writers that
 * died. Every server runs one.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { objectKey, objectPrefix } from "./object-key.ts";
import { deleteAbandoned, lockAbandoned } from "./lfs.store.ts";
import { draftIdleMs, retentionHours } from "./expiry.ts";
import { deleteDeadUploads } from "./upload.store.ts";

export interface LfsCleanup {
  /** Returns how many were removed. May run in many processes, and again after a crash. */
  sweep(): Promise<number>;
  upkeepTasks: readonly UpkeepTask[];
}

const sweepEveryMs = 10 * 60 * 1000;
const deletedAtOnce = 16;

export function createLfsCleanup(deps: { db: Database; objects: ObjectStore }): LfsCleanup {
  const { db, objects } = deps;

  /** Several at a time: a store elsewhere takes its time for each, and the rows are held meanwhile. */
  async function deleteKeys(keys: string[]): Promise<void> {
    const left = keys.values();
    const worker = async () => {
      for (const key of left) await objects.delete(key);
    };
    await Promise.all(Array.from({ length: deletedAtOnce }, worker));
  }

  /** How many; a server that dies meanwhile leaves rows whose bytes are gone, which the next sweep removes. */
  async function removeAbandoned(): Promise<number> {
    return db.transaction(async (tx) => {
      const rows = await lockAbandoned(tx, objects.direct ? retentionHours.direct : retentionHours.server);
      await deleteKeys(rows.map((row) => objectKey(row.repository_id, row.oid)));
      await deleteAbandoned(tx, rows);
      return rows.length;
    });
  }

  async function sweep(): Promise<number> {
    let removed = await objects.removeDrafts(draftIdleMs);
    await deleteDeadUploads(db);
    for (let some = await removeAbandoned(); some > 0; some = await removeAbandoned()) removed += some;
    return removed;
  }

  return {
    sweep,
    upkeepTasks: [{ name: "remove_abandoned_uploads", everyMs: sweepEveryMs, run: () => sweep() }],
  };
}

/** Removes a repository's objects from the object store; the rows are deleted with the repository's row. May run again. */
export async function removeLfsContent(objects: ObjectStore, repositoryId: string): Promise<void> {
  for await (const { key } of objects.list(objectPrefix(repositoryId))) await objects.delete(key);
}
