/** Rows of `statistics_marks`: which repositories are to be computed. */
import type { Queryable } from "../../../platform/db/database.ts";

export const statements = defineStatements<MarksRows>({
  mark: `
    insert into statistics_marks as m (repository_id) values ($1)
    on conflict (repository_id) do update set wanted = m.wanted + 1, due_at = now(), problem = null`,
  adopt: `
    insert into statistics_marks as m (repository_id)
    select r.id from repositories r left join repository_statistics s on s.repository_id = r.id
      left join statistics_marks k on k.repository_id = r.id
    where r.deleted_at is null and (k.repository_id is null
      or k.due_at is null and (s.rules is distinct from $1 or r.updated_at > s.computed_at))
    on conflict (repository_id) do update set wanted = m.wanted + 1, due_at = now()`,
  claimDue: `
    update statistics_marks m set due_at = clock_timestamp() + interval '5 seconds'
    from (select repository_id from statistics_marks where due_at <= clock_timestamp()
      order by due_at limit $1 for update skip locked) as due
    where m.repository_id = due.repository_id returning m.repository_id`,
  begin: `
    select m.wanted, r.default_branch from statistics_marks m join repositories r on r.id = m.repository_id
    where r.id = $1 and r.deleted_at is null`,
  end: `
    update statistics_marks set done = greatest(done, $2), problem = null,
      due_at = case when wanted > $2 then now() end
    where repository_id = $1 returning wanted > $2 as again`,
  rest: "update statistics_marks set due_at = null where repository_id = $1",
  giveUp:
    "update statistics_marks set problem = $2, due_at = now() + interval '6 hours' where repository_id = $1",
  countWaiting: "select count(*)::int as waiting from statistics_marks where due_at is not null",
});
import { defineStatements } from "../../../platform/db/statement.ts";
import type { MarksRows } from "./marks.rows.ts";

/** To be called in the transaction that changed the default branch, if there is one. */
export async function mark(db: Queryable, repositoryId: string): Promise<void> {
  await db.query(statements.mark, [repositoryId]);
}

/**
 * Marks repositories that a previous release created or pushed to without a mark while it ran beside this one, and those
 * computed by other rules.
 */
export async function adopt(db: Queryable, rules: string): Promise<void> {
  await db.query(statements.adopt, [rules]);
}

/** Takes some that are due, for some seconds; after that they are due again. */
export async function claimDue(db: Queryable, max: number): Promise<string[]> {
  const rows = await db.query(statements.claimDue, [max]);
  return rows.map((row) => row.repository_id);
}

export type BegunComputation = MarksRows["begin"];

/** undefined when the repository is gone, or deleted. */
export function begin(db: Queryable, repositoryId: string): Promise<BegunComputation | undefined> {
  return db.one(statements.begin, [repositoryId]);
}

/** Completes what was requested at the start; returns whether more has been requested since. */
export async function end(db: Queryable, repositoryId: string, wanted: number): Promise<boolean> {
  const row = await db.one(statements.end, [repositoryId, wanted]);
  return row?.again ?? false;
}

/** Nothing is computed for a deleted repository until it is restored. */
export async function rest(db: Queryable, repositoryId: string): Promise<void> {
  await db.query(statements.rest, [repositoryId]);
}

export async function giveUp(db: Queryable, repositoryId: string, problem: string): Promise<void> {
  await db.query(statements.giveUp, [repositoryId, problem]);
}

export async function countWaiting(db: Queryable): Promise<number> {
  const row = await db.one(statements.countWaiting);
  return row?.waiting ?? 0;
}
