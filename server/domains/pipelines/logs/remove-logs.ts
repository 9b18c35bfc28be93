/** Removes logs: of a repository from object storage, since its rows are deleted with it; of a run whose time is over. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { removeObjects } from "../../../platform/objects/remove-objects.ts";
import { listStreams, replaceAll } from "./old-logs.store.ts";
import { findStreamsOfRepository } from "./stream.store.ts";

/** May run again after an interruption. */
export async function removeLogs(
  { db, objects }: { db: Database; objects: ObjectStore },
  repositoryId: string,
): Promise<void> {
  for (const id of await findStreamsOfRepository(db, repositoryId))
    for await (const object of objects.list(`logs/${id}/`)) await objects.delete(object.key);
}

const removedLine = Buffer.from("This log was removed: its time was over.\n");

/**
 * Puts one line that says so in the place of each log of a run, and calls `within` in the same transaction. Objects go first: what
 * is interrupted is done again.
 */
export async function replaceLogs(
  { db, objects }: { db: Database; objects: ObjectStore },
  pipelineId: string,
  within: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const ids = await listStreams(db, pipelineId);
  for (const id of ids) await removeObjects(objects, `logs/${id}/`);
  await db.transaction(async (tx) => {
    await replaceAll(tx, ids, { line: removedLine, timeMs: Date.now() });
    await within(tx);
  });
}
