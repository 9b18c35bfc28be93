/** The answer to every kind of sign-in: the session, and its cookie. */
import type { Session } from "@forgeline/schemas/sessions/resource.ts";
import type { Reply } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { csrfTokenOf, sessionCookie } from "../../../platform/credentials/session-cookie.ts";
import { presentSession, type OpenedSession } from "../../../domains/accounts/domain.ts";

export function signedIn({ row, token, maxAgeSeconds }: OpenedSession, addresses: Addresses): Reply<Session> {
  const body = presentSession(row, addresses, { currentId: row.id, csrfToken: csrfTokenOf(token) });
  return { body, location: body.url, headers: { "Set-Cookie": sessionCookie(token, maxAgeSeconds) } };
}
