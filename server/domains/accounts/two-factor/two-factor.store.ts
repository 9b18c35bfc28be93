/** Rows of `two_factor` and `recovery_codes`. */
import type { Queryable } from "../../../platform/db/database.ts";

export interface TwoFactorRow {
  sealed_secret: Buffer;
  enabled_at: Date | null;
  codes_left: number;
}

export function findTwoFactor(db: Queryable, userId: string): Promise<TwoFactorRow | undefined> {
  return db.one<TwoFactorRow>(
    `select sealed_secret, enabled_at,
       (select count(*) from recovery_codes r where r.user_id = t.user_id) as codes_left
     from two_factor t where user_id = $1`,
    [userId],
  );
}

/** False when a second factor is on already. */
export async function storeSecret(db: Queryable, userId: string, sealed: Buffer): Promise<boolean> {
  const row = await db.one(
    `insert into two_factor (user_id, sealed_secret) values ($1, $2)
     on conflict (user_id) do update set sealed_secret = excluded.sealed_secret
       where two_factor.enabled_at is null
     returning 1`,
    [userId, sealed],
  );
  return row !== undefined;
}

export async function markEnabled(db: Queryable, userId: string): Promise<boolean> {
  const row = await db.one(
    `update two_factor set enabled_at = now() where user_id = $1 and enabled_at is null returning 1`,
    [userId],
  );
  return row !== undefined;
}

/** Uses the codes of this period and all before it up; false when that was done already. */
export async function usePeriod(db: Queryable, userId: string, period: number): Promise<boolean> {
  const row = await db.one(
    `update two_factor set last_period = $2 where user_id = $1 and last_period < $2 returning 1`,
    [userId, period],
  );
  return row !== undefined;
}

export async function useRecoveryCode(db: Queryable, userId: string, hash: Buffer): Promise<boolean> {
  const row = await db.one(`delete from recovery_codes where user_id = $1 and code_hash = $2 returning 1`, [
    userId,
    hash,
  ]);
  return row !== undefined;
}

export async function replaceRecoveryCodes(
  db: Queryable,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.query(`delete from recovery_codes where user_id = $1`, [userId]);
  await db.query(`insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])`, [
    userId,
    [...hashes],
  ]);
}

/** False when none was on. */
export async function deleteTwoFactor(db: Queryable, userId: string): Promise<boolean> {
  const row = await db.one(
    `delete from two_factor where user_id = $1 and enabled_at is not null returning 1`,
    [userId],
  );
  return row !== undefined;
}
