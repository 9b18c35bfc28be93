/** Keys that sign jobs, and their private halves for rotations of the instance's key (`EncryptedValues`). */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { EncryptedPage } from "../../../platform/keys/encrypted-values.ts";
import type { SigningKeysRows } from "./signing-keys.rows.ts";

export type SigningKeyRow = RowOf<typeof statements.list>;
export type SigningHalf = RowOf<typeof statements.listSigning>;

interface Known {
  /** Of a key, which is never null. */
  countByKey: { mark: string };
}

const ofPlace = "from job_signing_keys k where k.repository_id is not distinct from $1";

export const statements = defineStatements<SigningKeysRows, Known>({
  list: `
    select k.id, k.public_key, k.created_at, u.username as created_by
    from job_signing_keys k left join users u on u.id = k.created_by
    where k.repository_id is not distinct from $1 order by k.created_at desc, k.id desc limit $2 offset $3`,
  count: `select count(*)::int as count ${ofPlace}`,
  hold: "select pg_advisory_xact_lock(hashtext('job_signing_keys of ' || $1))",
  insert: `
    insert into job_signing_keys (id, repository_id, sealed_private_key, public_key, created_by) values ($1, $2, $3, $4, $5)`,
  remove: `delete from job_signing_keys k where k.id = $2 and k.repository_id is not distinct from $1 returning k.id`,
  listSigning: `
    select id, sealed_private_key from job_signing_keys where repository_id = $1 or repository_id is null order by id`,
  countByKey: `
    select case when v.mark = any($1) then encode(v.mark, 'hex') else '' end as mark, count(*) as count
    from (select substring(sealed_private_key from 1 for 8) as mark from job_signing_keys) v group by 1`,
  lockOfOtherKeys: `
    select id, sealed_private_key from job_signing_keys where id > $1 and substring(sealed_private_key from 1 for 8) <> $2
    order by id limit $3 for no key update`,
  replaceSealed: `
    update job_signing_keys k set sealed_private_key = v.sealed from unnest($1::text[], $2::bytea[]) as v (id, sealed)
    where k.id = v.id`,
});

/** Newest first; of the instance where `repositoryId` is null. */
export async function list(
  db: Queryable,
  repositoryId: string | null,
  page: PageQuery,
): Promise<{ rows: SigningKeyRow[]; total: number }> {
  const rows = await db.query(statements.list, [repositoryId, page.per_page, offsetOf(page)]);
  return { rows, total: await countRows(db, ofPlace, [repositoryId]) };
}

export async function count(db: Queryable, repositoryId: string | null): Promise<number> {
  return (await db.one(statements.count, [repositoryId]))?.count ?? 0;
}

/** Until the transaction ends: so that two who ask at once do not pass the limit together. */
export async function hold(tx: Transaction, repositoryId: string | null): Promise<void> {
  await tx.query(statements.hold, [repositoryId ?? "instance"]);
}

export async function insert(
  tx: Transaction,
  key: { id: string; repositoryId: string | null; sealed: Buffer; publicKey: Buffer; createdBy: string },
): Promise<void> {
  const { id, repositoryId, sealed, publicKey, createdBy } = key;
  await tx.query(statements.insert, [id, repositoryId, sealed, publicKey, createdBy]);
}

/** False: there is no such key in this place. */
export async function remove(tx: Transaction, repositoryId: string | null, id: string): Promise<boolean> {
  return (await tx.one(statements.remove, [repositoryId, id])) !== undefined;
}

/** All that sign the jobs of this repository: its own, and the instance's. */
export function listSigning(db: Queryable, repositoryId: string): Promise<SigningHalf[]> {
  return db.query(statements.listSigning, [repositoryId]);
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
): Promise<SigningKeysRows["lockOfOtherKeys"][]> {
  return tx.query(statements.lockOfOtherKeys, [after, mark, limit]);
}

export async function replaceSealed(
  tx: Transaction,
  again: readonly { id: string; sealed: Buffer }[],
): Promise<void> {
  await tx.query(statements.replaceSealed, [again.map(({ id }) => id), again.map(({ sealed }) => sealed)]);
}
