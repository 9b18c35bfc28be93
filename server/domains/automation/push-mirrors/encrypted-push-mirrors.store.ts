/** Passwords and SSH keys of push mirrors, for rotations of the key (`EncryptedValues`). */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { EncryptedPage } from "../../../platform/keys/encrypted-values.ts";
import type { EncryptedPushMirrorsRows } from "./encrypted-push-mirrors.rows.ts";

export const statements = defineStatements<EncryptedPushMirrorsRows>({
  countByKey: `
    select case when w.mark = any($1) then encode(w.mark, 'hex') else '' end as mark, count(distinct w.id) as count
    from (select id, substring(unnest(array_remove(array[sealed_password, sealed_ssh_key], null)) from 1 for 8) as mark
      from push_mirrors) w group by 1`,
  lockOfOtherKeys: `
    select id, sealed_password, sealed_ssh_key from push_mirrors
    where id > $1 and (substring(sealed_password from 1 for 8) <> $2 or substring(sealed_ssh_key from 1 for 8) <> $2)
    order by id limit $3 for no key update`,
  replaceSealed: `
    update push_mirrors m set sealed_password = v.password, sealed_ssh_key = v.ssh_key
    from unnest($1::text[], $2::bytea[], $3::bytea[]) as v (id, password, ssh_key) where m.id = v.id`,
});

/** Push mirrors by the marks of the keys of their values. */
export function countByKey(
  db: Queryable,
  marks: readonly Buffer[],
): Promise<EncryptedPushMirrorsRows["countByKey"][]> {
  return db.query(statements.countByKey, [[...marks]]);
}

/** Until the transaction ends. */
export function lockOfOtherKeys(
  tx: Transaction,
  { after, mark, limit }: EncryptedPage,
): Promise<EncryptedPushMirrorsRows["lockOfOtherKeys"][]> {
  return tx.query(statements.lockOfOtherKeys, [after, mark, limit]);
}

export async function replaceSealed(
  tx: Transaction,
  sealed: readonly { id: string; password: Buffer | null; sshKey: Buffer | null }[],
): Promise<void> {
  await tx.query(statements.replaceSealed, [
    sealed.map(({ id }) => id),
    sealed.map(({ password }) => password),
    sealed.map(({ sshKey }) => sshKey),
  ]);
}
