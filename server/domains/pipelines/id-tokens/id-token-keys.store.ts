/** Keys that sign identity tokens, and their private parts for rotations of the instance's key (`EncryptedValues`). */
import type { JWK } from "jose";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { EncryptedPage } from "../../../platform/keys/encrypted-values.ts";
import type { IdTokenKeysRows } from "./id-token-keys.rows.ts";

export type SigningKey = RowOf<typeof statements.list>;

interface Known {
  /** As `exportJWK` made it. */
  list: { public_key: JWK };
  /** Of a key, which is never null. */
  countByKey: { mark: string };
}

export const statements = defineStatements<IdTokenKeysRows, Known>({
  list: `
    select id, sealed_private_key, public_key, created_at, current_from, withdrawn_at from id_token_keys
    order by current_from desc, id`,
  // By itself: a statement sees what was there before it waited.
  lock: `select pg_advisory_xact_lock(hashtext('id_token_keys'))`,
  insertIfNoneAfter: `
    insert into id_token_keys (id, sealed_private_key, public_key, current_from)
    select $1, $2, $3, $4
    where not exists (
      select from id_token_keys where withdrawn_at is null and ($5::timestamptz is null or current_from > $5))`,
  // Those that do not sign yet go in any case: otherwise one would take the new one's place before its time. The database's clock
  // after the lock, since one that another server has just made would seem to be ahead by any other.
  withdraw: `
    update id_token_keys set withdrawn_at = clock_timestamp()
    where withdrawn_at is null and ($1 or current_from > clock_timestamp())`,
  // Whole milliseconds, as the program reads them back: with more it would seem to be after itself, and never be replaced.
  insertNow: `
    insert into id_token_keys (id, sealed_private_key, public_key, current_from)
    values ($1, $2, $3, date_trunc('milliseconds', clock_timestamp()))`,
  removeReplaced: `
    delete from id_token_keys k
    where k.withdrawn_at < $1 or exists (
      select from id_token_keys newer
      where newer.withdrawn_at is null and newer.current_from > k.current_from and newer.current_from < $1)`,
  countByKey: `
    select case when v.mark = any($1) then encode(v.mark, 'hex') else '' end as mark, count(*) as count
    from (select substring(sealed_private_key from 1 for 8) as mark from id_token_keys) v group by 1`,
  lockOfOtherKeys: `
    select id, sealed_private_key from id_token_keys where id > $1 and substring(sealed_private_key from 1 for 8) <> $2
    order by id limit $3 for no key update`,
  replaceSealed: `
    update id_token_keys k set sealed_private_key = v.sealed from unnest($1::text[], $2::bytea[]) as v (id, sealed)
    where k.id = v.id`,
});

/** Newest first. */
export function list(db: Queryable): Promise<SigningKey[]> {
  return db.query(statements.list);
}

interface NewKey {
  id: string;
  sealed: Buffer;
  publicKey: JWK;
}

/** Does nothing if there is a key that becomes current after `after`; null: if there is any. Two servers may ask at once. */
export async function insertIfNoneAfter(
  tx: Transaction,
  key: NewKey & { currentFrom: Date },
  after: Date | null,
): Promise<void> {
  const { id, sealed, publicKey, currentFrom } = key;
  await tx.query(statements.lock);
  await tx.query(statements.insertIfNoneAfter, [id, sealed, JSON.stringify(publicKey), currentFrom, after]);
}

/** Signs from now on; `withdrawEarlier`: those before it are not published any more. */
export async function insertCurrent(
  tx: Transaction,
  { id, sealed, publicKey }: NewKey,
  withdrawEarlier: boolean,
): Promise<void> {
  await tx.query(statements.lock);
  await tx.query(statements.withdraw, [withdrawEarlier]);
  await tx.query(statements.insertNow, [id, sealed, JSON.stringify(publicKey)]);
}

/** Those in whose place another was current at that time, or that were withdrawn before it. */
export async function removeReplaced(db: Queryable, before: Date): Promise<void> {
  await db.query(statements.removeReplaced, [before]);
}

/** Keys by the marks of the instance's keys that encrypted them. */
export function countByKey(
  db: Queryable,
  marks: readonly Buffer[],
): Promise<RowOf<typeof statements.countByKey>[]> {
  return db.query(statements.countByKey, [[...marks]]);
}

/** Until the transaction ends. */
export function lockOfOtherKeys(
  tx: Transaction,
  { after, mark, limit }: EncryptedPage,
): Promise<IdTokenKeysRows["lockOfOtherKeys"][]> {
  return tx.query(statements.lockOfOtherKeys, [after, mark, limit]);
}

export async function replaceSealed(
  tx: Transaction,
  again: readonly { id: string; sealed: Buffer }[],
): Promise<void> {
  await tx.query(statements.replaceSealed, [again.map(({ id }) => id), again.map(({ sealed }) => sealed)]);
}
