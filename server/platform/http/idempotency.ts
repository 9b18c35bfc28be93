/**
 * `Idempotency-Key` on POST: the same key, operation and body of one user within 24 hours gets the first answer
 * again. Only successes are kept; after a refusal the same key may be used again. A request that is still being
 * answered, or whose server died within the last minute, makes the second one a `conflict`.
 */
import { createHash } from "node:crypto";
import type { PeriodicTask } from "../periodic-tasks.ts";
import type { Database } from "../db/database.ts";
import { AppError } from "../app-error.ts";
import * as store from "./idempotency.store.ts";

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
  periodicTasks: readonly PeriodicTask[];
}

const sweepMs = 10 * 60 * 1000;

const maxOperationLength = 500;

/** Names what a key belongs to. A long address stands there as its hash, since an index holds short texts only. */
export function operationOf(path: string): string {
  const operation = `POST ${path}`;
  if (operation.length <= maxOperationLength) return operation;
  return `POST sha256:${createHash("sha256").update(path).digest("hex")}`;
}

export function createIdempotency(db: Database): Idempotency {
  return {
    async begin(request) {
      checkKey(request.key);
      const hash = bodyHash(request);
      if (await store.claimKey(db, request, hash)) return undefined;
      const first = await store.findKey(db, request);
      if (!first || (first.status === null && first.body_hash.equals(hash)))
        throw new AppError("conflict", {
          message: "A request with this Idempotency-Key is still in progress.",
          retryAfterSeconds: 1,
        });
      return repeated(first, hash);
    },
    keep: (request, answer, showsSecret) => store.keepAnswer(db, request, { answer, showsSecret }),
    forget: (request) => store.removeUnanswered(db, request),
    periodicTasks: [
      { name: "remove_idempotency_keys", everyMs: sweepMs, atStart: false, run: () => store.removeOld(db) },
    ],
  };
}

function repeated(first: store.KeyRow, hash: Buffer): StoredAnswer {
  if (!first.body_hash.equals(hash))
    throw new AppError("validation_failed", {
      message: "This Idempotency-Key was already used with another body.",
      errors: [{ field: "Idempotency-Key", code: "reused", message: "Already used with another body." }],
    });
  if (first.secret)
    throw new AppError("conflict", {
      message: "The first response to this Idempotency-Key contained a secret, which cannot be shown again.",
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
