/**
 * What each error of the catalogue means to whoever gets it, and what can be done, in Markdown: the sections of
 * `docs/errors.md`, which `documentation_url` of an answer leads to.
 */
import type { ErrorCode } from "./errors.ts";

export const errorHelp: Readonly<Record<ErrorCode, string>> = {
  bad_request:
    "The request cannot be understood: invalid JSON, a `page` that is not a whole number from 1, a query parameter that does not exist or is given twice (`errors` names them), a malformed `Idempotency-Key`. Change the request.",
  unauthorized:
    "The operation needs a token and there was none, or the token is mistyped, unknown, expired, revoked, or belongs to a suspended user; or the session has ended; or, when signing in, name, password or one-time code is wrong (`two_factor_required` says that only the code is missing). Send `Authorization: Bearer TOKEN`. Tokens in URLs are refused on purpose: URLs end up in logs. Git sends the token as password; the user name does not matter.",
  forbidden:
    "You can see the resource, but are not allowed to do this with it. Ask its administrator for a higher permission level. Also: sign-up is closed, the account is suspended, or a request with a session cookie lacks `X-CSRF-Token` or comes from another origin.",
  insufficient_scope:
    "The token lacks the scopes in `required_scopes`; its user may still have the permission. Make a token with these scopes. A token can only create tokens with no more access than its own.",
  https_required:
    "The request came by plain HTTP. It is not redirected, because its content was already sent unencrypted: use `https://`, and revoke a token that was sent like this.",
  repository_archived:
    "The repository is archived: it can be read and cloned, but not changed until it is unarchived.",
  repository_mirrored:
    "The repository is a mirror: its branches, tags and large files come from its source, and nobody can change them here. Push to the source, or make it an ordinary repository in its settings. While it is being imported it is read-only too: wait until everything is there.",
  quota_exceeded: "A quota of the plan or the instance is exhausted; `message` says which.",
  not_found:
    "The resource does not exist, or you cannot see it; the answer is the same for both. Check the address, and for a private repository the token.",
  method_not_allowed: "The path exists, the method does not; `Allow` lists those that do.",
  conflict:
    "The state of things does not allow it: the name is taken, a run is already finished, the head has moved, the first request with this `Idempotency-Key` is still being answered or showed a secret that is not shown again (`record` says where the record is). Look at the current state before you try again.",
  payload_too_large:
    "The body is over the limit, which is 64 KiB unless an operation says otherwise, or has more than 10,000 fields and entries.",
  unsupported_media_type: "Bodies are `application/json` in UTF-8, not compressed.",
  range_not_satisfiable: "The range is outside the content; `Content-Range` gives its length.",
  validation_failed:
    "The JSON is valid, but its content is not. `errors` lists every problem at once (the first 20 of many), with `field`, a stable `code` (`required`, `unknown_field`, `wrong_type`, `too_short`, `too_long`, `too_small`, `too_large`, `not_allowed`, `invalid`, …) and a text.",
  rate_limit_exceeded:
    "Too many requests in this window, or too many wrong passwords for this account or from this place. Wait for `Retry-After` seconds; `reset_at` says the same as a time. `X-RateLimit-Resource` says which limit it was, `GET /rate_limit` what is left of each; that request is not counted. Without a token only 60 requests an hour are allowed, so send one. A request with `If-None-Match` that is answered with 304 is not counted. The same error answers too many open logs (close one), hundreds of concurrent requests or over 64 MiB of request bodies at once (send fewer at a time), and a runner that sent too much.",
  internal_error:
    "Something went wrong on our side. Trying again may help; if not, give an operator the `request_id`, which identifies the request in the log.",
  unavailable:
    "A required component, such as the database, is not available right now, two requests waited for each other, or the server is stopping. Try again after `Retry-After` seconds. No partial changes were made.",
};
