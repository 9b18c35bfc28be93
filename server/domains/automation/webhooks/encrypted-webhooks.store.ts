/** Addresses and secrets of webhooks, for rotations of the key (`EncryptedValues`). */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { EncryptedPage } from "../../../platform/keys/encrypted-values.ts";
import type { EncryptedWebhooksRows } from "./encrypted-webhooks.rows.ts";

export const statements = defineStatements<EncryptedWebhooksRows>({
  countByKey: `
    select case when w.mark = any($1) then encode(w.mark, 'hex') else '' end as mark, count(distinct w.id) as count
    from (select id, substring(unnest(array_remove(array[sealed_url, sealed_secret, sealed_previous_secret], null)) from 1 for 8)
      as mark from webhooks where deleted_at is null) w group by 1`,
  lockOfOtherKeys: `
    select id, sealed_url, sealed_secret, sealed_previous_secret from webhooks
    where id > $1 and deleted_at is null and (substring(sealed_url from 1 for 8) <> $2
      or substring(sealed_secret from 1 for 8) <> $2 or substring(sealed_previous_secret from 1 for 8) <> $2)
    order by id limit $3 for no key update`,
  replaceSealed: `
    update webhooks w set sealed_url = v.url, sealed_secret = v.secret, sealed_previous_secret = v.previous_secret
    from unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[]) as v (id, url, secret, previous_secret)
    where w.id = v.id`,
});

/** Webhooks by the marks of the keys of their values. */
export function countByKey(
  db: Queryable,
  marks: readonly Buffer[],
): Promise<EncryptedWebhooksRows["countByKey"][]> {
  return db.query(statements.countByKey, [[...marks]]);
}

/** Until the transaction ends. */
export function lockOfOtherKeys(
  tx: Transaction,
  { after, mark, limit }: EncryptedPage,
): Promise<EncryptedWebhooksRows["lockOfOtherKeys"][]> {
  return tx.query(statements.lockOfOtherKeys, [after, mark, limit]);
}

export async function replaceSealed(
  tx: Transaction,
  sealed: readonly { id: string; url: Buffer; secret: Buffer; previousSecret: Buffer | null }[],
): Promise<void> {
  await tx.query(statements.replaceSealed, [
    sealed.map(({ id }) => id),
    sealed.map(({ url }) => url),
    sealed.map(({ secret }) => secret),
    sealed.map(({ previousSecret }) => previousSecret),
  ]);
}
