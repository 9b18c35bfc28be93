/** Rows of `two_factor` and `recovery_codes`. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { TwoFactorRows } from "./two-factor.rows.ts";

export const statements = defineStatements<TwoFactorRows>({
  findTwoFactor: `
    select sealed_secret, enabled_at,
      (select count(*) from recovery_codes r where r.user_id = t.user_id) as codes_left
    from two_factor t where user_id = $1`,
  storeSecret: `
    insert into two_factor (user_id, sealed_secret) values ($1, $2)
    on conflict (user_id) do update set sealed_secret = excluded.sealed_secret
      where two_factor.enabled_at is null
    returning 1`,
  markEnabled: `update two_factor set enabled_at = now() where user_id = $1 and enabled_at is null returning 1`,
  usePeriod: `update two_factor set last_period = $2 where user_id = $1 and last_period < $2 returning 1`,
  useRecoveryCode: `delete from recovery_codes where user_id = $1 and code_hash = $2 returning 1`,
  deleteRecoveryCodes: `delete from recovery_codes where user_id = $1`,
  insertRecoveryCodes: `insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])`,
  deleteTwoFactor: `delete from two_factor where user_id = $1 and enabled_at is not null returning 1`,
});

export type TwoFactorRow = TwoFactorRows["findTwoFactor"];

export function findTwoFactor(db: Queryable, userId: string): Promise<TwoFactorRow | undefined> {
  return db.one(statements.findTwoFactor, [userId]);
}

/** False when a second factor is on already. */
export async function storeSecret(db: Queryable, userId: string, sealed: Buffer): Promise<boolean> {
  const row = await db.one(statements.storeSecret, [userId, sealed]);
  return row !== undefined;
}

export async function markEnabled(db: Queryable, userId: string): Promise<boolean> {
  const row = await db.one(statements.markEnabled, [userId]);
  return row !== undefined;
}

/** Uses the codes of this period and all before it up; false when that was done already. */
export async function usePeriod(db: Queryable, userId: string, period: number): Promise<boolean> {
  const row = await db.one(statements.usePeriod, [userId, period]);
  return row !== undefined;
}

export async function useRecoveryCode(db: Queryable, userId: string, hash: Buffer): Promise<boolean> {
  const row = await db.one(statements.useRecoveryCode, [userId, hash]);
  return row !== undefined;
}

export async function replaceRecoveryCodes(
  db: Queryable,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.query(statements.deleteRecoveryCodes, [userId]);
  await db.query(statements.insertRecoveryCodes, [userId, [...hashes]]);
}

/** False when none was on. */
export async function deleteTwoFactor(db: Queryable, userId: string): Promise<boolean> {
  const row = await db.one(statements.deleteTwoFactor, [userId]);
  return row !== undefined;
}
