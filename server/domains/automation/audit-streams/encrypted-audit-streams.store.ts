/** Secrets of streams of audit logs, for rotations of the key (`EncryptedValues`). */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { EncryptedPage } from "../../../platform/keys/encrypted-values.ts";
import type { EncryptedAuditStreamsRows } from "./encrypted-audit-streams.rows.ts";

export const statements = defineStatements<EncryptedAuditStreamsRows>({
  countByKey: `
    select case when w.mark = any($1) then encode(w.mark, 'hex') else '' end as mark, count(*) as count
    from (select substring(sealed_secrets from 1 for 8) as mark from audit_streams) w group by 1`,
  lockOfOtherKeys: `
    select id, sealed_secrets from audit_streams where id > $1 and substring(sealed_secrets from 1 for 8) <> $2
    order by id limit $3 for no key update`,
  replaceSealed: `
    update audit_streams s set sealed_secrets = v.sealed
    from unnest($1::text[], $2::bytea[]) as v (id, sealed) where s.id = v.id`,
});

/** Streams by the marks of the keys of their secrets. */
export function countByKey(
  db: Queryable,
  marks: readonly Buffer[],
): Promise<EncryptedAuditStreamsRows["countByKey"][]> {
  return db.query(statements.countByKey, [[...marks]]);
}

/** Until the transaction ends. */
export function lockOfOtherKeys(
  tx: Transaction,
  { after, mark, limit }: EncryptedPage,
): Promise<EncryptedAuditStreamsRows["lockOfOtherKeys"][]> {
  return tx.query(statements.lockOfOtherKeys, [after, mark, limit]);
}

export async function replaceSealed(
  tx: Transaction,
  sealed: readonly { id: string; sealed: Buffer }[],
): Promise<void> {
  await tx.query(statements.replaceSealed, [
    sealed.map(({ id }) => id),
    sealed.map(({ sealed: each }) => each),
  ]);
}
