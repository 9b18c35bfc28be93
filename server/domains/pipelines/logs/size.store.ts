/** Size of finished logs in object storage. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { SizeRows } from "./size.rows.ts";

export const statements = defineStatements<SizeRows>({
  sumLogs: `
    select coalesce(sum(g.stored_bytes), 0)::bigint as bytes from pipelines p
    join log_streams s on s.pipeline_id = p.id join log_segments g on g.stream_id = s.id
    where p.repository_id = $1`,
});

/** Stored bytes of the logs of all runs. */
export async function sumLogs(db: Queryable, repositoryId: string): Promise<number> {
  const row = await db.one(statements.sumLogs, [repositoryId]);
  return row?.bytes ?? 0;
}
