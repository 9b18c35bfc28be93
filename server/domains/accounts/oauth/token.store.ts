/** Codes and tokens of OAuth, found by their SHA-256. Used ones are kept, because a second use shows that one was stolen. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { TokenRows } from "./token.rows.ts";

export const statements = defineStatements<TokenRows>({
  insertCode: `
    with old as (delete from oauth_codes where expires_at < now() - interval '1 day')
    insert into oauth_codes (code_hash, grant_id, redirect_uri, scopes, challenge, expires_at)
    values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
  grantOfCode: "select grant_id from oauth_codes where code_hash = $1",
  readCode: `
    select redirect_uri, scopes, challenge, expires_at <= now() as expired, used_at is not null as used, family_id
    from oauth_codes where code_hash = $1`,
  markCodeUsed: "update oauth_codes set used_at = now(), family_id = $2 where code_hash = $1",
  insertFamily: `
    with ended as (delete from oauth_families where expires_at < now())
    insert into oauth_families (grant_id, scopes, expires_at)
    values ($1, $2, now() + make_interval(days => $3)) returning id`,
  deleteExpiredTokens: "delete from access_tokens where family_id = $1 and expires_at < now()",
  insertAccessToken: `
    insert into access_tokens (id, user_id, name, token_hash, scopes, family_id, expires_at)
    values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
  insertRefreshToken: `
    insert into oauth_refresh_tokens (token_hash, family_id, expires_at)
    values ($1, $2, now() + make_interval(days => $3))`,
  extendFamily: "update oauth_families set expires_at = now() + make_interval(days => $2) where id = $1",
  touchGrant: "update oauth_grants set last_used_at = now() where id = $1",
  grantOfRefreshToken: `
    select f.grant_id from oauth_refresh_tokens r join oauth_families f on f.id = r.family_id
    where r.token_hash = $1`,
  readRefreshToken: `
    select r.family_id, f.scopes, r.expires_at <= now() as expired, r.used_at is not null as used
    from oauth_refresh_tokens r join oauth_families f on f.id = r.family_id where r.token_hash = $1`,
  markRefreshTokenUsed: "update oauth_refresh_tokens set used_at = now() where token_hash = $1",
  grantOfAccessToken: `select f.grant_id from access_tokens t join oauth_families f on f.id = t.family_id where t.token_hash = $1`,
  deleteAccessToken: "delete from access_tokens where token_hash = $1 and family_id is not null returning id",
});

export interface NewCode {
  hash: Buffer;
  grantId: string;
  redirectUri: string;
  scopes: readonly Scope[];
  challenge: string | null;
}

export const codeSeconds = 60;
export const accessSeconds = 8 * 3600;
const refreshDays = 180;

export async function insertCode(tx: Queryable, code: NewCode): Promise<void> {
  await tx.query(statements.insertCode, [
    code.hash,
    code.grantId,
    code.redirectUri,
    code.scopes,
    code.challenge,
    codeSeconds,
  ]);
}

export type CodeRow = TokenRows["readCode"];

/** The grant of a code or refresh token, to be locked first. */
export async function grantOfCode(tx: Queryable, hash: Buffer): Promise<string | undefined> {
  const row = await tx.one(statements.grantOfCode, [hash]);
  return row?.grant_id;
}

/** Under the lock of its grant. */
export function readCode(tx: Queryable, hash: Buffer): Promise<CodeRow | undefined> {
  return tx.one(statements.readCode, [hash]);
}

export async function markCodeUsed(tx: Queryable, hash: Buffer, familyId: string | null): Promise<void> {
  await tx.query(statements.markCodeUsed, [hash, familyId]);
}

/** Also removes expired ones. */
export async function insertFamily(
  tx: Queryable,
  grantId: string,
  scopes: readonly Scope[],
): Promise<string> {
  const row = await tx.one(statements.insertFamily, [grantId, scopes, refreshDays]);
  if (!row) throw new Error("the insert gave no row");
  return row.id;
}

export interface NewTokens {
  familyId: string;
  grantId: string;
  userId: string;
  access: { id: string; name: string; hash: Buffer; scopes: readonly Scope[] };
  refreshHash: Buffer;
}

export async function insertTokens(tx: Queryable, tokens: NewTokens): Promise<void> {
  const { access, familyId } = tokens;
  await tx.query(statements.deleteExpiredTokens, [familyId]);
  await tx.query(statements.insertAccessToken, [
    access.id,
    tokens.userId,
    access.name,
    access.hash,
    access.scopes,
    familyId,
    accessSeconds,
  ]);
  await tx.query(statements.insertRefreshToken, [tokens.refreshHash, familyId, refreshDays]);
  await tx.query(statements.extendFamily, [familyId, refreshDays]);
  await tx.query(statements.touchGrant, [tokens.grantId]);
}

export type RefreshRow = TokenRows["readRefreshToken"];

export async function grantOfRefreshToken(tx: Queryable, hash: Buffer): Promise<string | undefined> {
  const row = await tx.one(statements.grantOfRefreshToken, [hash]);
  return row?.grant_id;
}

/** Under the lock of its grant. */
export function readRefreshToken(tx: Queryable, hash: Buffer): Promise<RefreshRow | undefined> {
  return tx.one(statements.readRefreshToken, [hash]);
}

export async function markRefreshTokenUsed(tx: Queryable, hash: Buffer): Promise<void> {
  await tx.query(statements.markRefreshTokenUsed, [hash]);
}

export async function grantOfAccessToken(tx: Queryable, hash: Buffer): Promise<string | undefined> {
  const row = await tx.one(statements.grantOfAccessToken, [hash]);
  return row?.grant_id;
}

/** The id of the removed token. */
export async function deleteAccessToken(tx: Queryable, hash: Buffer): Promise<string | undefined> {
  const row = await tx.one(statements.deleteAccessToken, [hash]);
  return row?.id;
}
