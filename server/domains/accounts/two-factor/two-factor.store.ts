/** Rows of `two_factor` and `recovery_codes`. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import type { EncryptedPage } from "../../../platform/keys/encrypted-values.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { TwoFactorRows } from "./two-factor.rows.ts";

export const statements = defineStatements<TwoFactorRows>({
  findTwoFactor: `
    select sealed_secret, sealed_recovery_key, enabled_at,
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
  storeRecoveryKey: `update two_factor set sealed_recovery_key = $2 where user_id = $1`,
  deleteRecoveryCodes: `delete from recovery_codes where user_id = $1`,
  insertRecoveryCodes: `insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])`,
  countByKey: `
    select case when t.mark = any($1) then encode(t.mark, 'hex') else '' end as mark, count(distinct t.user_id) as count
    from (select user_id, substring(sealed_secret from 1 for 8) as mark from two_factor
      union all select user_id, coalesce(substring(sealed_recovery_key from 1 for 8), '') from two_factor) t group by 1`,
  lockOfOtherKeys: `
    select user_id as id, sealed_secret, sealed_recovery_key from two_factor
    where user_id > $1 and (substring(sealed_secret from 1 for 8) <> $2
      or coalesce(substring(sealed_recovery_key from 1 for 8), '') <> $2)
    order by user_id limit $3 for no key update`,
  replaceSealed: `
    update two_factor t set sealed_secret = v.secret, sealed_recovery_key = v.recovery_key
    from unnest($1::text[], $2::bytea[], $3::bytea[]) as v (id, secret, recovery_key) where t.user_id = v.id`,
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
  { sealedKey, hashes }: { sealedKey: Buffer | null; hashes: readonly Buffer[] },
): Promise<void> {
  await db.query(statements.storeRecoveryKey, [userId, sealedKey]);
  await db.query(statements.deleteRecoveryCodes, [userId]);
  await db.query(statements.insertRecoveryCodes, [userId, [...hashes]]);
}

/** False when none was on. */
export async function deleteTwoFactor(db: Queryable, userId: string): Promise<boolean> {
  const row = await db.one(statements.deleteTwoFactor, [userId]);
  return row !== undefined;
}

/** Accounts by the marks of the keys of secret and recovery key (`EncryptedValues`). */
export function countByKey(db: Queryable, marks: readonly Buffer[]): Promise<TwoFactorRows["countByKey"][]> {
  return db.query(statements.countByKey, [[...marks]]);
}

/** Until the transaction ends; `id` is the account's. */
export function lockOfOtherKeys(
  tx: Transaction,
  { after, mark, limit }: EncryptedPage,
): Promise<TwoFactorRows["lockOfOtherKeys"][]> {
  return tx.query(statements.lockOfOtherKeys, [after, mark, limit]);
}

/** By the ids of accounts. */
export async function replaceSealed(
  tx: Transaction,
  sealed: readonly { id: string; secret: Buffer; recoveryKey: Buffer }[],
): Promise<void> {
  await tx.query(statements.replaceSealed, [
    sealed.map(({ id }) => id),
    sealed.map(({ secret }) => secret),
    sealed.map(({ recoveryKey }) => recoveryKey),
  ]);
}
