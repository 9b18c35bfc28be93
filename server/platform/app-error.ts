/** The only error that services throw on purpose; each edge turns it into its own form once. */
import { errorCatalogue, type ErrorCode, type FieldError } from "@forgeline/schemas/core/errors.ts";

export interface AppErrorOptions {
  message?: string;
  /** With `validation_failed`. */
  errors?: FieldError[];
  /** Further members of the error body, for example `required_scopes` or `conflicts`. */
  extra?: Record<string, unknown>;
  /** With `not_found`: where the record is now, for whoever reads it by an earlier address. */
  movedTo?: string;
  /** Sent as `Retry-After`, whole seconds. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly options: AppErrorOptions;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errorCatalogue[code].message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.options = options;
  }
}

/** For a caller who may retry in `seconds`, a whole number: `Retry-After` and `reset_at` say the same. */
export function retryLater(message: string, seconds: number): AppError {
  const resetAt = new Date(Date.now() + seconds * 1000).toISOString();
  return new AppError("rate_limit_exceeded", {
    message,
    retryAfterSeconds: seconds,
    extra: { reset_at: resetAt },
  });
}

/** For one field that conflicts with existing data; what the body alone shows is refused by its contract. */
export function invalidField(field: string, code: string, message: string): AppError {
  return new AppError("validation_failed", { message, errors: [{ field, code, message }] });
}

/** Like `invalidField`, for all errors at once. */
export function invalidFields(errors: FieldError[]): AppError {
  return new AppError("validation_failed", { errors });
}
