/** Rows of `passkeys` and `passkey_challenges`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { PasskeysRows } from "./passkeys.rows.ts";

export type PasskeyRow = PasskeysRows["insertPasskey"];

const columns =
  "id, user_id, name, credential_id, public_key, counter, transports, synced, last_used_at, created_at";

export const statements = defineStatements<PasskeysRows>({
  insertChallenge: `
    with expired as (delete from passkey_challenges where expires_at < now())
    insert into passkey_challenges (challenge_hash, user_id, expires_at)
    values ($1, $2, now() + interval '5 minutes')`,
  useChallenge: `
    delete from passkey_challenges
    where challenge_hash = $1 and user_id is not distinct from $2 and expires_at > now() returning 1`,
  insertPasskey: `
    insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, synced)
    select $1, $2, $3, $4, $5, $6, $7, $8 where (select count(*) from passkeys where user_id = $2) < $9
    on conflict do nothing returning ${columns}`,
  countPasskeys: `select count(*) as total from passkeys where user_id = $1`,
  listPasskeys: `select ${columns} from passkeys where user_id = $1 order by id desc limit $2 offset $3`,
  findPasskey: `select ${columns} from passkeys where user_id = $1 and id = $2`,
  findByCredential: `select ${columns} from passkeys where credential_id = $1`,
  countUse: `
    update passkeys set counter = $2, last_used_at = now()
    where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1`,
  deletePasskey: `delete from passkeys where user_id = $1 and id = $2 returning ${columns}`,
});

/** Also removes expired ones. */
export async function insertChallenge(db: Queryable, hash: Buffer, userId: string | null): Promise<void> {
  await db.query(statements.insertChallenge, [hash, userId]);
}

/** False when it is unknown, somebody else's, expired or answered. */
export async function useChallenge(db: Queryable, hash: Buffer, userId: string | null): Promise<boolean> {
  const row = await db.one(statements.useChallenge, [hash, userId]);
  return row !== undefined;
}

export type NewPasskey = Omit<PasskeyRow, "last_used_at" | "created_at">;

/** Undefined when the passkey is registered, or the user has `most`. */
export function insertPasskey(
  db: Queryable,
  passkey: NewPasskey,
  max: number,
): Promise<PasskeyRow | undefined> {
  return db.one(statements.insertPasskey, [
    passkey.id,
    passkey.user_id,
    passkey.name,
    passkey.credential_id,
    passkey.public_key,
    passkey.counter,
    passkey.transports,
    passkey.synced,
    max,
  ]);
}

export async function listPasskeys(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: PasskeyRow[]; total: number }> {
  const counted = await db.one(statements.countPasskeys, [userId]);
  const rows = await db.query(statements.listPasskeys, [userId, page.per_page, offsetOf(page)]);
  return { rows, total: counted?.total ?? 0 };
}

export function findPasskey(db: Queryable, userId: string, id: string): Promise<PasskeyRow | undefined> {
  return db.one(statements.findPasskey, [userId, id]);
}

export function findByCredential(db: Queryable, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.one(statements.findByCredential, [credentialId]);
}

/** Records a use; false if the count has not grown, which points to a copy of the authenticator. */
export async function countUse(db: Queryable, id: string, counter: number): Promise<boolean> {
  const row = await db.one(statements.countUse, [id, counter]);
  return row !== undefined;
}

export function deletePasskey(db: Queryable, userId: string, id: string): Promise<PasskeyRow | undefined> {
  return db.one(statements.deletePasskey, [userId, id]);
}
