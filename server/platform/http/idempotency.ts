/**
 * `Idempotency-Key` on POST: the same key, operation and body of one user within 24 hours gets the first answer
 * again. Only successes are kept; after a refusal the same key may be used anew. A request that is still being
 * answered, or whose server died within the last minute, makes the second one a `conflict`.
 */
import { createHash } from "node:crypto";
import type { Database } from "../db/database.ts";
import { AppError } from "../app-error.ts";

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

export interface IdempotencyRequest {
  userId: string;
  key: string;
  /** Method and path: a key means something only for one operation. */
  operation: string;
  bodyBytes: Buffer;
}

export interface Idempotency {
  /** The first answer, or undefined when this request is the first. */
  begin(request: IdempotencyRequest): Promise<StoredAnswer | undefined>;
  /** `showsSecret`: the body is not stored; a repetition is told where the record is. */
  keep(request: IdempotencyRequest, answer: StoredAnswer, showsSecret: boolean): Promise<void>;
  forget(request: IdempotencyRequest): Promise<void>;
  /** Deletes what is older than 24 hours. */
  sweep(): Promise<void>;
}

const longestOperation = 500;

/** Names what a key belongs to. A long address stands there as its hash, since an index holds short texts only. */
export function operationOf(path: string): string {
  const operation = `POST ${path}`;
  if (operation.length <= longestOperation) return operation;
  return `POST sha256:${createHash("sha256").update(path).digest("hex")}`;
}

interface Row {
  body_hash: Buffer;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  secret: boolean;
}

export function createIdempotency(db: Database): Idempotency {
  return {
    async begin(request) {
      checkKey(request.key);
      const hash = bodyHash(request);
      const mine = await db.one(
        `insert into idempotency_keys (user_id, key, operation, body_hash) values ($1, $2, $3, $4)
         on conflict (user_id, operation, key) do update
           set body_hash = excluded.body_hash, status = null, headers = null, body = null, secret = false, created_at = now()
           where idempotency_keys.created_at < now() - interval '24 hours'
              or (idempotency_keys.status is null and idempotency_keys.created_at < now() - interval '1 minute')
         returning 1`,
        [request.userId, request.key, request.operation, hash],
      );
      if (mine) return undefined;
      const first = await db.one<Row>(
        `select body_hash, status, headers, body, secret from idempotency_keys
         where user_id = $1 and operation = $2 and key = $3`,
        [request.userId, request.operation, request.key],
      );
      if (!first || (first.status === null && first.body_hash.equals(hash)))
        throw new AppError("conflict", {
          message: "A request with this Idempotency-Key is being answered right now.",
          retryAfterSeconds: 1,
        });
      return repeated(first, hash);
    },
    async keep(request, answer, showsSecret) {
      await db.query(
        `update idempotency_keys set status = $4, headers = $5, body = $6, secret = $7
         where user_id = $1 and operation = $2 and key = $3`,
        [
          request.userId,
          request.operation,
          request.key,
          answer.status,
          JSON.stringify(answer.headers),
          showsSecret ? null : answer.body,
          showsSecret,
        ],
      );
    },
    async forget(request) {
      await db.query(
        `delete from idempotency_keys where user_id = $1 and operation = $2 and key = $3 and status is null`,
        [request.userId, request.operation, request.key],
      );
    },
    async sweep() {
      await db.query(`delete from idempotency_keys where created_at < now() - interval '24 hours'`);
    },
  };
}

function repeated(first: Row, hash: Buffer): StoredAnswer {
  if (!first.body_hash.equals(hash))
    throw new AppError("validation_failed", {
      message: "This Idempotency-Key was used with another body.",
      errors: [{ field: "Idempotency-Key", code: "reused", message: "Used before with another body." }],
    });
  if (first.secret)
    throw new AppError("conflict", {
      message: "The first answer to this Idempotency-Key showed a secret, which is not shown again.",
      extra: { record: first.headers?.["Location"] ?? null },
    });
  return { status: first.status ?? 200, headers: first.headers ?? {}, body: first.body };
}

function checkKey(key: string): void {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new AppError("bad_request", {
      message: "Idempotency-Key must be 1 to 255 printable ASCII characters.",
    });
}

function bodyHash(request: IdempotencyRequest): Buffer {
  return createHash("sha256").update(request.bodyBytes).digest();
}
