/** Removes what a repository's logs keep in object storage; the rows go with the repository's own. */
import type { Database } from "../../../platform/db/database.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { findStreamsOfRepository } from "./stream.store.ts";

/** May run again after it was cut off. */
export async function removeLogs(
  { db, objects }: { db: Database; objects: ObjectStore },
  repositoryId: string,
): Promise<void> {
  for (const id of await findStreamsOfRepository(db, repositoryId))
    for await (const object of objects.list(`logs/${id}/`)) await objects.delete(object.key);
}
