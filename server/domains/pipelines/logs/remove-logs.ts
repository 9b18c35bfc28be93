/** Removes a repository's logs from object storage; the rows are deleted with the repository's row. */
import type { Database } from "../../../platform/db/database.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { findStreamsOfRepository } from "./stream.store.ts";

/** May run again after an interruption. */
export async function removeLogs(
  { db, objects }: { db: Database; objects: ObjectStore },
  repositoryId: string,
): Promise<void> {
  for (const id of await findStreamsOfRepository(db, repositoryId))
    for await (const object of objects.list(`logs/${id}/`)) await objects.delete(object.key);
}
