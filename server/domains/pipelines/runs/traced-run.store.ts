/** When a run was begun again. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { TracedRunRows } from "./traced-run.rows.ts";

export const statements = defineStatements<TracedRunRows>({
  listReopenings: `
    select at from transitions
    where pipeline_id = $1 and node = 'pipeline' and old_status in ('success', 'failed', 'error', 'cancelled', 'skipped')
    order by id`,
});

/** The first one begins its second sequence, and so on. */
export async function listReopenings(db: Queryable, pipelineId: string): Promise<Date[]> {
  return (await db.query(statements.listReopenings, [pipelineId])).map(({ at }) => at);
}
