/** Rows of `gpg_keys`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { GpgKeysRows } from "./gpg-keys.rows.ts";

export type GpgKeyRow = GpgKeysRows["insertGpgKey"];

export interface NewGpgKey {
  id: string;
  userId: string;
  fingerprint: string;
  keyIds: readonly string[];
  publicKey: string;
  emails: readonly string[];
  expiresAt: Date | null;
  revoked: boolean;
}

const columns = "id, fingerprint, key_ids, public_key, emails, expires_at, revoked, created_at";
const ofUser = "from gpg_keys where user_id = $1";
const addresses = (condition: string) => `coalesce((
      select array_agg(lower(e.email)) from user_emails e
      where e.user_id = u.id and lower(e.email) = w.email and e.verified_at ${condition}), '{}')`;

interface Known {
  /** What was asked for is never null. */
  findSigners: { wanted_key_id: string; wanted_email: string };
}

export const statements = defineStatements<GpgKeysRows, Known>({
  insertGpgKey: `
    insert into gpg_keys (id, user_id, fingerprint, key_ids, public_key, emails, expires_at, revoked)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (user_id, fingerprint) do nothing returning ${columns}`,
  countGpgKeys: `select count(*) as keys ${ofUser}`,
  listGpgKeys: `select ${columns} ${ofUser} order by id desc limit $2 offset $3`,
  findGpgKey: `select ${columns} ${ofUser} and id = $2`,
  deleteGpgKey: `delete ${ofUser} and id = $2 returning ${columns}`,
  findSigners: `
    select w.key_id as wanted_key_id, w.email as wanted_email, f.*
    from unnest($1::text[], $2::text[]) as w (key_id, email) cross join lateral (
      select k.fingerprint, k.public_key, u.id, u.username,
        ${addresses("is not null")} as verified, ${addresses("is null")} as unverified
      from gpg_keys k join users u on u.id = k.user_id and not u.suspended
      where k.key_ids @> array[w.key_id]
      order by lower(u.username) || $3 = w.email or exists (
          select 1 from user_emails e
          where e.user_id = u.id and lower(e.email) = w.email and e.verified_at is not null) desc, k.id desc
      limit 1) f`,
});

export type GpgSignerRow = RowOf<typeof statements.findSigners>;

/** Undefined when they have it already. */
export function insertGpgKey(tx: Queryable, key: NewGpgKey): Promise<GpgKeyRow | undefined> {
  const { id, userId, fingerprint, keyIds, publicKey, emails, expiresAt, revoked } = key;
  return tx.one(statements.insertGpgKey, [
    id,
    userId,
    fingerprint,
    keyIds,
    publicKey,
    emails,
    expiresAt,
    revoked,
  ]);
}

export async function countGpgKeys(db: Queryable, userId: string): Promise<number> {
  return (await db.one(statements.countGpgKeys, [userId]))?.keys ?? 0;
}

export async function listGpgKeys(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: GpgKeyRow[]; total: number }> {
  const rows = await db.query(statements.listGpgKeys, [userId, page.per_page, offsetOf(page)]);
  return { rows, total: await countRows(db, ofUser, [userId]) };
}

export function findGpgKey(db: Queryable, userId: string, id: string): Promise<GpgKeyRow | undefined> {
  return db.one(statements.findGpgKey, [userId, id]);
}

export function deleteGpgKey(tx: Queryable, userId: string, id: string): Promise<GpgKeyRow | undefined> {
  return tx.one(statements.deleteGpgKey, [userId, id]);
}

/**
 * Of each pair the key of whoever has the address, if there is one, otherwise somebody's. `noReply`: what follows the names of users in
 * addresses that are theirs anyway. Addresses in lower case.
 */
export function findSigners(
  db: Queryable,
  wanted: readonly { keyId: string; email: string }[],
  noReply: string,
): Promise<GpgSignerRow[]> {
  const keyIds = wanted.map(({ keyId }) => keyId);
  const emails = wanted.map(({ email }) => email);
  return db.query(statements.findSigners, [keyIds, emails, noReply]);
}
