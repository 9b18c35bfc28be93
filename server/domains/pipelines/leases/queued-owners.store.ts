/** Whose attempts are queued; for metrics. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { QueuedOwnersRows } from "./queued-owners.rows.ts";

/** Of more, those with the shortest queues are counted together: a metric must not have as many labels as there are users. */
const mostOwners = 20;

export const statements = defineStatements<QueuedOwnersRows>({
  queuedOwners: `
    with of_repository as (
      select repository_id, count(*) as length, min(queued_at) as oldest
      from job_attempts where state = 'queued' group by repository_id
    ), of_owner as (
      select n.owner, sum(q.length) as length, min(q.oldest) as oldest,
        row_number() over (order by sum(q.length) desc, n.owner) as place
      from of_repository q join repository_names n on n.repository_id = q.repository_id group by n.owner
    )
    select case when place <= ${mostOwners} then owner else '(others)' end as owner, sum(length)::int as length,
      extract(epoch from now() - min(oldest))::float8 as "oldestSeconds"
    from of_owner group by 1`,
});

/** Queued attempts by name of the owner, with the age of the oldest. */
export function queuedOwners(db: Queryable): Promise<RowOf<typeof statements.queuedOwners>[]> {
  return db.query(statements.queuedOwners);
}
