/** Attempts to sign in, as counted at each scope, and where an account's owner signed in from. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { AttemptsRows } from "./attempts.rows.ts";

/** Seconds to wait after so many `attempts` in a row: none at first, then doubling up to a maximum. */
const waitSeconds = `case a.scope
    when 'pair' then case when a.attempts < 5 then 0 else least(900, power(2, least(a.attempts - 5, 20))) end
    when 'address' then case when a.attempts < 30 then 0 else least(60, power(2, least(a.attempts - 30, 20))) end
    else case when a.attempts < 20 then 0 else least(10, power(2, least(a.attempts - 20, 20))) end end`;
const forgotten = `a.last_at < now() - interval '1 hour'`;

export const statements = defineStatements<AttemptsRows>({
  isKnown: `select 1 from login_addresses where user_id = $1 and address = $2 and seen_at > now() - interval '90 days'`,
  rememberAddress: `
    insert into login_addresses (user_id, address) values ($1, $2)
    on conflict (user_id, address) do update set seen_at = now()`,
  countWhereDue: `
    with old as (delete from login_attempts where (scope, key) in (
      select scope, key from login_attempts where last_at < now() - interval '1 day' for update skip locked))
    insert into login_attempts as a (scope, key, attempts, last_at)
    select scope, key, 1, clock_timestamp() from unnest($1::text[], $2::bytea[]) as asked (scope, key) order by scope
    on conflict (scope, key) do update
      set attempts = case when ${forgotten} then 1 else a.attempts + 1 end, last_at = clock_timestamp()
      where ${forgotten} or a.last_at + make_interval(secs => ${waitSeconds}) <= clock_timestamp()
    returning scope`,
  secondsToWait: `
    select max(extract(epoch from a.last_at + make_interval(secs => ${waitSeconds}) - now()))::float8 as seconds
    from login_attempts a join unnest($1::text[], $2::bytea[]) as asked (scope, key) using (scope, key)`,
  forget: `delete from login_attempts where scope = $1 and key = $2`,
  takeBack: `
    with locked as (
      select a.scope, a.key from login_attempts a join unnest($1::text[], $2::bytea[]) as asked (scope, key)
        using (scope, key)
      order by a.scope for update of a)
    update login_attempts a set attempts = greatest(0, a.attempts - 1)
    from locked where a.scope = locked.scope and a.key = locked.key`,
});

/** Whether the owner signed in from there. */
export async function isKnown(db: Queryable, account: string, block: string): Promise<boolean> {
  const row = await db.one(statements.isKnown, [account, block]);
  return row !== undefined;
}

export async function rememberAddress(db: Queryable, account: string, block: string): Promise<void> {
  await db.query(statements.rememberAddress, [account, block]);
}

/**
 * The number of scopes that counted. Rows are locked in one order everywhere, so that two servers never wait for each other.
 * The clock is read after a row was locked: `now()` would be earlier than what the previous holder of the lock wrote.
 */
export async function countWhereDue(tx: Queryable, keys: ReadonlyMap<string, Buffer>): Promise<number> {
  const counted = await tx.query(statements.countWhereDue, columnsOf(keys));
  return counted.length;
}

/** The longest wait at any of these scopes. */
export async function secondsToWait(db: Queryable, keys: ReadonlyMap<string, Buffer>): Promise<number> {
  const row = await db.one(statements.secondsToWait, columnsOf(keys));
  return row?.seconds ?? 1;
}

export async function forget(db: Queryable, scope: string, key: Buffer | undefined): Promise<void> {
  await db.query(statements.forget, [scope, key]);
}

export async function takeBack(db: Queryable, keys: ReadonlyMap<string, Buffer>): Promise<void> {
  await db.query(statements.takeBack, columnsOf(keys));
}

function columnsOf(keys: ReadonlyMap<string, Buffer>): [string[], Buffer[]] {
  return [[...keys.keys()], [...keys.values()]];
}
