/** Rows of `access_tokens` that people made themselves; the value of a token is not stored. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { TokensRows } from "./tokens.rows.ts";

export type AccessTokenRow = TokensRows["insertToken"];

const columns = "id, name, scopes, repository_ids, address_ranges, expires_at, last_used_at, created_at";

export const statements = defineStatements<TokensRows>({
  insertToken: `
    insert into access_tokens (id, user_id, name, token_hash, scopes, repository_ids, address_ranges, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '24 hours') returning ${columns}`,
  countTokens: `select count(*) as total from access_tokens where user_id = $1 and family_id is null and revoked_at is null`,
  listTokens: `
    select ${columns} from access_tokens where user_id = $1 and family_id is null and revoked_at is null
    order by id desc limit $2 offset $3`,
  lockCreator: `
    select scopes, repository_ids, address_ranges, expires_at,
      expires_at is not null and coalesce(now() + $2 * interval '24 hours' > expires_at, true) as outlived
    from access_tokens where id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
    for share`,
  findToken: `select ${columns} from access_tokens where id = $2 and user_id = $1 and family_id is null and revoked_at is null`,
  markRevoked: `
    update access_tokens set revoked_at = now() where id = $2 and user_id = $1 and family_id is null and revoked_at is null
    returning ${columns}`,
  revokeTokensOf: `update access_tokens set revoked_at = now() where user_id = any($1) and revoked_at is null`,
  touchToken: `
    update access_tokens set last_used_at = now()
    where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
});

export interface NewAccessToken {
  id: string;
  userId: string;
  name: string;
  hash: Buffer;
  scopes: readonly Scope[];
  repositoryIds: readonly string[] | null;
  addressRanges: readonly string[] | null;
  /** From now by the database's clock; null: forever. */
  expiresInDays: number | null;
}

export async function insertToken(db: Queryable, token: NewAccessToken): Promise<AccessTokenRow> {
  const row = await db.one(statements.insertToken, [
    token.id,
    token.userId,
    token.name,
    token.hash,
    token.scopes,
    token.repositoryIds,
    token.addressRanges,
    token.expiresInDays,
  ]);
  if (!row) throw new Error("the insert gave no row");
  return row;
}

export async function listTokens(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: AccessTokenRow[]; total: number }> {
  const counted = await db.one(statements.countTokens, [userId]);
  const rows = await db.query(statements.listTokens, [userId, page.per_page, offsetOf(page)]);
  return { rows, total: counted?.total ?? 0 };
}

/** `outlived`: whether a token made now, of so many days (null: forever), would end after this one. */
export type CreatorRow = TokensRows["lockCreator"];

/** Locks the token that creates another one, so that it cannot be revoked meanwhile; undefined if it is no longer valid. */
export function lockCreator(
  tx: Queryable,
  id: string,
  expiresInDays: number | null,
): Promise<CreatorRow | undefined> {
  return tx.one(statements.lockCreator, [id, expiresInDays]);
}

export function findToken(db: Queryable, userId: string, id: string): Promise<AccessTokenRow | undefined> {
  return db.one(statements.findToken, [userId, id]);
}

/** Undefined when the user has no such live token. */
export function markRevoked(db: Queryable, userId: string, id: string): Promise<AccessTokenRow | undefined> {
  return db.one(statements.markRevoked, [userId, id]);
}

/** All tokens of these users. */
export async function revokeTokensOf(tx: Queryable, userIds: readonly string[]): Promise<void> {
  await tx.query(statements.revokeTokensOf, [userIds]);
}

/** Writes at most once a minute for a token, whatever the number of servers. */
export async function touchToken(db: Queryable, tokenId: string): Promise<void> {
  await db.query(statements.touchToken, [tokenId]);
}
