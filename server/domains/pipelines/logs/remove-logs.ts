/** Removes what a repository's logs keep in object storage; the rows go with the repository's own. */
import type { Database } from "../../../platform/db/database.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";

/** May run again after it was cut off. */
export async function removeLogs(
  { db, objects }: { db: Database; objects: ObjectStore },
  repositoryId: string,
): Promise<void> {
  const streams = await db.query<{ id: string }>(
    `select s.id from log_streams s join pipelines p on p.id = s.pipeline_id where p.repository_id = $1`,
    [repositoryId],
  );
  for (const { id } of streams)
    for await (const object of objects.list(`logs/${id}/`)) await objects.delete(object.key);
}
