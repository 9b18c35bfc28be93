/** Values of secrets, for rotations of the key (`EncryptedValues`). */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { EncryptedPage } from "../../../platform/keys/encrypted-values.ts";
import type { EncryptedSecretsRows } from "./encrypted-secrets.rows.ts";

interface Known {
  /** Of a value, which is never null. */
  countByKey: { mark: string };
}

export const statements = defineStatements<EncryptedSecretsRows, Known>({
  countByKey: `
    select case when v.mark = any($1) then encode(v.mark, 'hex') else '' end as mark, count(*) as count
    from (select substring(sealed_value from 1 for 8) as mark from secret_values) v group by 1`,
  lockOfOtherKeys: `
    select id, sealed_value from secret_values where id > $1 and substring(sealed_value from 1 for 8) <> $2
    order by id limit $3 for no key update`,
  replaceSealed: `
    update secret_values s set sealed_value = v.sealed from unnest($1::text[], $2::bytea[]) as v (id, sealed)
    where s.id = v.id`,
});

/** Values by the marks of their keys. */
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
): Promise<EncryptedSecretsRows["lockOfOtherKeys"][]> {
  return tx.query(statements.lockOfOtherKeys, [after, mark, limit]);
}

export async function replaceSealed(
  tx: Transaction,
  again: readonly { id: string; sealed: Buffer }[],
): Promise<void> {
  await tx.query(statements.replaceSealed, [again.map(({ id }) => id), again.map(({ sealed }) => sealed)]);
}
