/** Rows of `access_tokens`; the value of a token is nowhere in them. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Queryable } from "../../db/database.ts";

export interface AccessTokenRow {
  id: string;
  name: string;
  scopes: Scope[];
  expires_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
}

const columns = "id, name, scopes, expires_at, last_used_at, created_at";

export interface NewAccessToken {
  id: string;
  userId: string;
  name: string;
  hash: Buffer;
  scopes: readonly Scope[];
  /** From now by the database's clock; null: for ever. */
  expiresInDays: number | null;
}

export async function insertToken(db: Queryable, token: NewAccessToken): Promise<AccessTokenRow> {
  const row = await db.one<AccessTokenRow>(
    `insert into access_tokens (id, user_id, name, token_hash, scopes, expires_at)
     values ($1, $2, $3, $4, $5, now() + $6 * interval '24 hours') returning ${columns}`,
    [token.id, token.userId, token.name, token.hash, [...token.scopes], token.expiresInDays],
  );
  if (!row) throw new Error("the insert gave no row");
  return row;
}

export async function listTokens(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: AccessTokenRow[]; total: number }> {
  const counted = await db.one<{ total: number }>(
    `select count(*) as total from access_tokens where user_id = $1 and revoked_at is null`,
    [userId],
  );
  const rows = await db.query<AccessTokenRow>(
    `select ${columns} from access_tokens where user_id = $1 and revoked_at is null
     order by id desc limit $2 offset $3`,
    [userId, page.per_page, Math.min((page.page - 1) * page.per_page, Number.MAX_SAFE_INTEGER)],
  );
  return { rows, total: counted?.total ?? 0 };
}

/** Undefined when the user has no such live token. */
export function markRevoked(db: Queryable, userId: string, id: string): Promise<AccessTokenRow | undefined> {
  return db.one<AccessTokenRow>(
    `update access_tokens set revoked_at = now() where id = $2 and user_id = $1 and revoked_at is null
     returning ${columns}`,
    [userId, id],
  );
}
