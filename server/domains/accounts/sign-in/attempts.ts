/**
 * Slows guessing without locking anybody out. An attempt is counted before the password is looked at, so attempts at the
 * same time count too; a success takes its count back. What counts is the account from this block of addresses, the
 * block, and the account as a whole, this last only from where its owner never signed in, and not for who is signed in:
 * strangers cannot keep the owner out. The account has the limit of `auth` besides, whatever waits there are.
 */
import { createHash } from "node:crypto";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { addressBlock } from "../../../platform/network/address-block.ts";
import { comeBackLater, type AppError } from "../../../platform/app-error.ts";
import { rateLimitExceeded, type RateLimits } from "../../operation/domain.ts";
import { accountSubject } from "../../../platform/access/subject.ts";

export interface Attempt {
  /** Takes the count back, and remembers that the owner was here. To be called in the transaction of what succeeded. */
  succeeded(db: Queryable): Promise<void>;
  /** Neither failed nor succeeded: as if it had not been, and earlier ones still count. */
  undone(): Promise<void>;
}

export interface TriedAccount {
  /** The user's id, or what was typed where there is no such user. */
  account: string;
  ipAddress: string;
  /** Who tries is signed in as this user already. */
  signedIn: boolean;
}

export interface Attempts {
  /** Counts one. Throws `rate_limit_exceeded` while an earlier one has to be waited for. */
  begin(tried: TriedAccount): Promise<Attempt>;
}

/** Seconds to wait after `attempts` in a row: none while they are few, then doubling up to a bound. */
const waitSeconds = `case a.scope
    when 'pair' then case when a.attempts < 5 then 0 else least(900, power(2, least(a.attempts - 5, 20))) end
    when 'address' then case when a.attempts < 30 then 0 else least(60, power(2, least(a.attempts - 30, 20))) end
    else case when a.attempts < 20 then 0 else least(10, power(2, least(a.attempts - 20, 20))) end end`;
const forgotten = `a.last_at < now() - interval '1 hour'`;

export function createAttempts({ db, rateLimits }: { db: Database; rateLimits: RateLimits }): Attempts {
  return {
    async begin({ account, ipAddress, signedIn }) {
      const block = addressBlock(ipAddress);
      const known = signedIn || (await isKnown(db, account, block));
      const keys = new Map([
        ["address", keyOf(block)],
        ["pair", keyOf(`${account}\0${block}`)],
      ]);
      if (!known) keys.set("account", keyOf(account));
      await count(db, keys);
      // Last: attempts that one place had to wait for take nothing of what all places share.
      const taken = known ? undefined : await rateLimits.take("auth", accountSubject(account));
      if (taken && !taken.allowed) {
        await takeBack(db, keys);
        throw rateLimitExceeded(taken.status);
      }
      return {
        undone: async () => {
          taken?.refund();
          await takeBack(db, keys);
        },
        succeeded: async (tx) => {
          taken?.refund();
          await takeBack(tx, keys);
          await tx.query(`delete from login_attempts where scope = 'pair' and key = $1`, [keys.get("pair")]);
          await tx.query(
            `insert into login_addresses (user_id, address) values ($1, $2)
             on conflict (user_id, address) do update set seen_at = now()`,
            [account, block],
          );
        },
      };
    },
  };
}

/** Whether the owner signed in from there. */
async function isKnown(db: Database, account: string, block: string): Promise<boolean> {
  const row = await db.one(
    `select 1 from login_addresses where user_id = $1 and address = $2 and seen_at > now() - interval '90 days'`,
    [account, block],
  );
  return row !== undefined;
}

/** Counts at every scope, or nowhere: an attempt that has to wait in one takes nothing of the others. */
async function count(db: Database, keys: ReadonlyMap<string, Buffer>): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      if ((await countWhereDue(tx, keys)) < keys.size) throw tooEarly;
    });
  } catch (error) {
    throw error === tooEarly ? await refusal(db, keys) : error;
  }
}

/** Undoes what was counted. */
const tooEarly = new Error("an earlier attempt has to be waited for");

/**
 * The number of scopes that counted. Rows are locked in one order everywhere, so that two servers never wait for each other.
 * The clock is read once a row is locked: `now()` is earlier than what those have written whom the statement waited for.
 */
async function countWhereDue(tx: Queryable, keys: ReadonlyMap<string, Buffer>): Promise<number> {
  const counted = await tx.query(
    `with old as (delete from login_attempts where (scope, key) in (
       select scope, key from login_attempts where last_at < now() - interval '1 day' for update skip locked))
     insert into login_attempts as a (scope, key, attempts, last_at)
     select scope, key, 1, clock_timestamp() from unnest($1::text[], $2::bytea[]) as asked (scope, key) order by scope
     on conflict (scope, key) do update
       set attempts = case when ${forgotten} then 1 else a.attempts + 1 end, last_at = clock_timestamp()
       where ${forgotten} or a.last_at + make_interval(secs => ${waitSeconds}) <= clock_timestamp()
     returning scope`,
    columnsOf(keys),
  );
  return counted.length;
}

async function refusal(db: Queryable, keys: ReadonlyMap<string, Buffer>): Promise<AppError> {
  const row = await db.one<{ seconds: number }>(
    `select max(extract(epoch from a.last_at + make_interval(secs => ${waitSeconds}) - now()))::float8 as seconds
     from login_attempts a join unnest($1::text[], $2::bytea[]) as asked (scope, key) using (scope, key)`,
    columnsOf(keys),
  );
  const retryAfterSeconds = Math.max(1, Math.ceil(row?.seconds ?? 1));
  return comeBackLater("Too many failed attempts; wait before the next one.", retryAfterSeconds);
}

async function takeBack(db: Queryable, keys: ReadonlyMap<string, Buffer>): Promise<void> {
  await db.query(
    `with locked as (
       select a.scope, a.key from login_attempts a join unnest($1::text[], $2::bytea[]) as asked (scope, key)
         using (scope, key)
       order by a.scope for update of a)
     update login_attempts a set attempts = greatest(0, a.attempts - 1)
     from locked where a.scope = locked.scope and a.key = locked.key`,
    columnsOf(keys),
  );
}

function columnsOf(keys: ReadonlyMap<string, Buffer>): [string[], Buffer[]] {
  return [[...keys.keys()], [...keys.values()]];
}

function keyOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
