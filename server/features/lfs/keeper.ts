/**
 * Removes what uploads that nobody finished have left: room that ran out with whatever lies in the object store for it, and
 * drafts of writers that died. Every server runs one.
 */
import type { Database } from "../../db/database.ts";
import type { Logger } from "../../platform/logger.ts";
import { createRounds } from "../../platform/rounds.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { objectKey, objectPrefix } from "./object-key.ts";
import { deleteObject, lockAbandoned } from "./store.ts";
import { draftIdleMs } from "./times.ts";

export interface LfsKeeper {
  /** How many were removed. May run in many processes, and again after a crash. */
  sweep(): Promise<number>;
  /** Sweeps now and then again and again, until `close`. */
  start(): void;
  close(): Promise<void>;
}

const sweepEveryMs = 10 * 60 * 1000;

export function createLfsKeeper(deps: { db: Database; objects: ObjectStore; logger: Logger }): LfsKeeper {
  const { db, objects, logger } = deps;

  async function removeAbandoned(): Promise<boolean> {
    return db.transaction(async (tx) => {
      const row = await lockAbandoned(tx);
      if (!row) return false;
      await objects.delete(objectKey(row.repository_id, row.oid));
      await deleteObject(tx, row.repository_id, row.oid);
      return true;
    });
  }

  async function sweep(): Promise<number> {
    let removed = await objects.removeDrafts(draftIdleMs);
    while (await removeAbandoned()) removed += 1;
    return removed;
  }
  const rounds = createRounds([{ work: sweep, everyMs: sweepEveryMs, atStart: true }], (error) =>
    logger.warn({ error: error.message }, "abandoned uploads stay for now"),
  );

  return {
    sweep,
    start: rounds.start,
    close: rounds.stop,
  };
}

/** What a repository keeps in the object store; the rows go with the repository's own. May run again. */
export async function removeLfsContent(objects: ObjectStore, repositoryId: string): Promise<void> {
  for await (const { key } of objects.list(objectPrefix(repositoryId))) await objects.delete(key);
}
