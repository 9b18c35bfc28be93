/**
 * The one error catalogue: code → HTTP status, whether trying again can help, and the public text used when
 * the thrower gives none. `error-help.ts` says of each what can be done; `docs/errors.md` is made from both.
 */
export const errorCatalogue = {
  bad_request: { status: 400, retryable: false, message: "The request is not valid." },
  unauthorized: { status: 401, retryable: false, message: "A valid token is required." },
  forbidden: { status: 403, retryable: false, message: "You are not allowed to do this." },
  insufficient_scope: { status: 403, retryable: false, message: "The token lacks a required scope." },
  https_required: { status: 403, retryable: false, message: "Requests must use HTTPS." },
  repository_archived: {
    status: 403,
    retryable: false,
    message: "The repository is archived and read-only.",
  },
  repository_mirrored: {
    status: 403,
    retryable: false,
    message: "The repository is a mirror and read-only, or is still being imported.",
  },
  quota_exceeded: { status: 403, retryable: false, message: "A quota is exhausted." },
  not_found: { status: 404, retryable: false, message: "Not found." },
  method_not_allowed: { status: 405, retryable: false, message: "This method is not allowed here." },
  conflict: { status: 409, retryable: false, message: "The resource's state does not allow this." },
  payload_too_large: { status: 413, retryable: false, message: "The request body is too large." },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    message: "The content type must be application/json.",
  },
  range_not_satisfiable: { status: 416, retryable: false, message: "The range is outside the content." },
  validation_failed: { status: 422, retryable: false, message: "The request failed validation." },
  rate_limit_exceeded: { status: 429, retryable: true, message: "The rate limit is exceeded." },
  internal_error: { status: 500, retryable: true, message: "Something went wrong on our side." },
  unavailable: {
    status: 503,
    retryable: true,
    message: "The service is temporarily unavailable; try again.",
  },
} as const satisfies Record<string, { status: number; retryable: boolean; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** One invalid field of a request; `code` is a stable word such as `unknown_field` or `too_long`. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
}
