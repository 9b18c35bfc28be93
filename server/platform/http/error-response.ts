/** The one place where an error becomes an HTTP answer: the flat body of `spec.md` section 7. */
import type { ServerResponse } from "node:http";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import type { ErrorBody } from "@forgeline/schemas/core/error-body.ts";
import { AppError } from "../app-error.ts";
import { isDeadlock } from "../db/deadlock.ts";
import { diskFull, isDiskFull } from "../disk-full.ts";
import type { Logger } from "../logger.ts";

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody & Record<string, unknown>;
}

export interface ErrorResponder {
  /** Maps, and logs once what was not expected. */
  answer(error: unknown, requestId: string): ErrorAnswer;
  /** Sends the answer; when the response has begun already, cuts the connection instead. */
  send(res: ServerResponse, error: unknown, requestId: string): void;
}

export function createErrorResponder(options: { docsUrl: string; logger: Logger }): ErrorResponder {
  function answer(error: unknown, requestId: string): ErrorAnswer {
    const known = toAppError(error);
    if (known.code === "internal_error" || (known.code === "unavailable" && known !== error))
      options.logger.error({ err: error, request_id: requestId }, "a request failed unexpectedly");
    const { status } = errorCatalogue[known.code];
    const headers: Record<string, string> = {};
    const retryAfter = known.options.retryAfterSeconds ?? (known.code === "unavailable" ? 2 : undefined);
    if (retryAfter !== undefined) headers["Retry-After"] = String(Math.max(1, Math.ceil(retryAfter)));
    if (status === 401) headers["WWW-Authenticate"] = 'Bearer realm="Forgeline"';
    return {
      status,
      headers,
      body: {
        error: known.code,
        message: known.message,
        documentation_url: `${options.docsUrl}/errors#${known.code}`,
        ...(known.options.errors ? { errors: known.options.errors } : {}),
        ...(status >= 500 ? { request_id: requestId } : {}),
        ...known.options.extra,
      },
    };
  }
  return {
    answer,
    send(res, error, requestId) {
      const { status, headers, body } = answer(error, requestId);
      if (res.headersSent) {
        res.destroy();
        return;
      }
      for (const name of ["ETag", "Link", "Location", "Content-Disposition"]) res.removeHeader(name);
      const text = JSON.stringify(body);
      res.writeHead(status, {
        ...headers,
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": Buffer.byteLength(text),
        "Cache-Control": "no-store",
        Vary: "Authorization, Cookie",
      });
      res.end(text);
    },
  };
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDiskFull(error)) return diskFull(error);
  if (isDatabaseUnreachable(error) || isDeadlock(error)) return new AppError("unavailable", { cause: error });
  return new AppError("internal_error", { cause: error });
}

const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  // PostgreSQL: shutting down, starting up, too many connections, connection lost.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08006",
  "08003",
  "08001",
]);

const connectionMessages = [
  "Connection terminated",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error",
];

/** What `pg` throws when the server is away, is cut off in the middle, or when the pool cannot reach it. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnreachable);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return syscall === "connect";
  if (code !== undefined && connectionCodes.has(code)) return true;
  return connectionMessages.some((text) => error.message.startsWith(text));
}
