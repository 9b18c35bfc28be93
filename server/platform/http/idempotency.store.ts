/** Rows of `idempotency_keys`. They count for 24 hours, and without an answer for a minute. */
import type { Queryable } from "../db/database.ts";
import { defineStatements } from "../db/statement.ts";
import type { IdempotencyRequest, StoredAnswer } from "./idempotency.ts";
import type { IdempotencyRows } from "./idempotency.rows.ts";

export const statements = defineStatements<IdempotencyRows>({
  claimKey: `
    insert into idempotency_keys (user_id, key, operation, body_hash) values ($1, $2, $3, $4)
    on conflict (user_id, operation, key) do update
      set body_hash = excluded.body_hash, status = null, headers = null, body = null, secret = false, created_at = now()
      where idempotency_keys.created_at < now() - interval '24 hours'
         or (idempotency_keys.status is null and idempotency_keys.created_at < now() - interval '1 minute')
    returning 1`,
  findKey: `
    select body_hash, status, headers, body, secret from idempotency_keys
    where user_id = $1 and operation = $2 and key = $3`,
  keepAnswer: `
    update idempotency_keys set status = $4, headers = $5, body = $6, secret = $7
    where user_id = $1 and operation = $2 and key = $3`,
  removeUnanswered: `delete from idempotency_keys where user_id = $1 and operation = $2 and key = $3 and status is null`,
  removeOld: `delete from idempotency_keys where created_at < now() - interval '24 hours'`,
});

export type KeyRow = IdempotencyRows["findKey"];

/** False when the key counts already. */
export async function claimKey(
  db: Queryable,
  request: IdempotencyRequest,
  bodyHash: Buffer,
): Promise<boolean> {
  const mine = await db.one(statements.claimKey, [request.userId, request.key, request.operation, bodyHash]);
  return mine !== undefined;
}

export function findKey(db: Queryable, request: IdempotencyRequest): Promise<KeyRow | undefined> {
  return db.one(statements.findKey, [request.userId, request.operation, request.key]);
}

export async function keepAnswer(
  db: Queryable,
  request: IdempotencyRequest,
  { answer, showsSecret }: { answer: StoredAnswer; showsSecret: boolean },
): Promise<void> {
  await db.query(statements.keepAnswer, [
    request.userId,
    request.operation,
    request.key,
    answer.status,
    JSON.stringify(answer.headers),
    showsSecret ? null : answer.body,
    showsSecret,
  ]);
}

export async function removeUnanswered(db: Queryable, request: IdempotencyRequest): Promise<void> {
  await db.query(statements.removeUnanswered, [request.userId, request.operation, request.key]);
}

export async function removeOld(db: Queryable): Promise<void> {
  await db.query(statements.removeOld);
}
