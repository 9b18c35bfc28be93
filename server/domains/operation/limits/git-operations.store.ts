/** Open Git operations, as windows of `rate_limit_windows`: `requests` operations, and `taken` exchanges of theirs. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { GitOperationsRows } from "./git-operations.rows.ts";

export const statements = defineStatements<GitOperationsRows>({
  beginOperation: `
    insert into rate_limit_windows as w (category, subject, started_at, ends_at, requests, taken, granted)
    select 'git', $1, now, now + make_interval(secs => $2), 1, $3::int, 0
    from (select clock_timestamp() as now, set_config('synchronous_commit', 'off', true)) quick
    on conflict (category, subject) do update set started_at = excluded.started_at, ends_at = excluded.ends_at,
      requests = excluded.requests + case when w.ends_at > excluded.started_at then w.requests else 0 end,
      taken = excluded.taken + case when w.ends_at > excluded.started_at then w.taken else 0 end`,
  joinOperation: `
    update rate_limit_windows set taken = taken + 1
    from (select set_config('synchronous_commit', 'off', true)) quick
    where category = 'git' and subject = $1 and ends_at > clock_timestamp() and taken < requests * $2::int
    returning taken`,
  endOperation: `
    update rate_limit_windows set requests = requests - 1, taken = greatest(0, taken - $2::int)
    from (select set_config('synchronous_commit', 'off', true)) quick
    where category = 'git' and subject = $1 and ends_at > clock_timestamp() and requests > 0
    returning requests`,
});

export async function beginOperation(
  db: Queryable,
  subject: string,
  { exchanges, openSeconds }: { exchanges: 0 | 1; openSeconds: number },
): Promise<void> {
  await db.query(statements.beginOperation, [subject, openSeconds, exchanges]);
}

/** False when none is open that may have a further exchange. */
export async function joinOperation(db: Queryable, subject: string, maxExchanges: number): Promise<boolean> {
  const row = await db.one(statements.joinOperation, [subject, maxExchanges]);
  return row !== undefined;
}

/** False when none was open. */
export async function endOperation(db: Queryable, subject: string, exchanges: number): Promise<boolean> {
  const row = await db.one(statements.endOperation, [subject, exchanges]);
  return row !== undefined;
}
