/** Tokens of imports that are under way, for rotations of the key (`EncryptedValues`). */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { EncryptedPage } from "../../../platform/keys/encrypted-values.ts";
import type { EncryptedImportsRows } from "./encrypted-imports.rows.ts";

export const statements = defineStatements<EncryptedImportsRows>({
  countByKey: `
    select case when w.mark = any($1) then encode(w.mark, 'hex') else '' end as mark, count(*) as count
    from (select substring(sealed_token from 1 for 8) as mark from imports where sealed_token is not null) w group by 1`,
  lockOfOtherKeys: `
    select id, sealed_token from imports where id > $1 and substring(sealed_token from 1 for 8) <> $2
    order by id limit $3 for no key update`,
  replaceSealed: `
    update imports i set sealed_token = v.sealed
    from unnest($1::text[], $2::bytea[]) as v (id, sealed) where i.id = v.id`,
});

/** Imports by the marks of the keys of their tokens. */
export function countByKey(
  db: Queryable,
  marks: readonly Buffer[],
): Promise<EncryptedImportsRows["countByKey"][]> {
  return db.query(statements.countByKey, [[...marks]]);
}

/** Until the transaction ends. */
export function lockOfOtherKeys(
  tx: Transaction,
  { after, mark, limit }: EncryptedPage,
): Promise<EncryptedImportsRows["lockOfOtherKeys"][]> {
  return tx.query(statements.lockOfOtherKeys, [after, mark, limit]);
}

export async function replaceSealed(
  tx: Transaction,
  sealed: readonly { id: string; sealed: Buffer | null }[],
): Promise<void> {
  await tx.query(statements.replaceSealed, [sealed.map(({ id }) => id), sealed.map((each) => each.sealed)]);
}
