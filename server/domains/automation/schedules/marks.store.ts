/** Rows of `schedule_marks`: repositories whose pipeline files are to be read again. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { MarksRows } from "./marks.rows.ts";

export const statements = defineStatements<MarksRows>({
  markTouched: `
    insert into schedule_marks as m (repository_id, user_id, origin, reach)
    select distinct on (t.repository_id) t.repository_id, case when t.origin = 'push' and not t.by_job then u.id end, t.origin, t.reach
    from (
      select e.repository_id, e.position, e.sender ->> 'id' as sender_id,
        case when r.mirror or p.cause = 'mirror_sync' then 'mirror'
          when p.cause = 'fork_sync' or (r.forked and e.kind = 'repository' and e.action = 'created') then 'fork'
          else 'push' end as origin, coalesce(p.reach, 'reads') as reach, p.job_id is not null as by_job
      from events e join repositories r on r.id = e.repository_id left join pushes p on p.id = e.subject ->> 'push_id'
      where e.position = any ($1::bigint[]) and (e.kind = 'push' and e.subject ->> 'ref' = 'refs/heads/' || r.default_branch
        or e.kind = 'repository' and e.action in ('created', 'edited', 'restored'))) t
    left join users u on u.id = t.sender_id order by t.repository_id, t.position desc
    on conflict (repository_id) do update set wanted = m.wanted + 1, user_id = excluded.user_id, origin = excluded.origin,
      reach = excluded.reach, due_at = now()`,
  claimMarks: `
    update schedule_marks m set due_at = now() + interval '30 seconds'
    from (select repository_id from schedule_marks where due_at <= now() order by due_at limit $1 for update skip locked) due
    where m.repository_id = due.repository_id returning m.repository_id, m.user_id, m.origin, m.reach, m.wanted`,
  removeMark: "delete from schedule_marks where repository_id = $1 and wanted = $2",
});

/** Marks the repositories whose default branch these events have touched. */
export async function markTouched(tx: Transaction, positions: readonly number[]): Promise<void> {
  await tx.query(statements.markTouched, [positions]);
}

export type ScheduleMark = MarksRows["claimMarks"];

/** Takes some that are due, for half a minute; after that they are due again. */
export function claimMarks(db: Queryable, limit: number): Promise<ScheduleMark[]> {
  return db.query(statements.claimMarks, [limit]);
}

/** Unless it was made again meanwhile. */
export async function removeMark(
  tx: Transaction,
  { repository_id: id, wanted }: ScheduleMark,
): Promise<void> {
  await tx.query(statements.removeMark, [id, wanted]);
}
