/** What the answer to a sign-in is, whatever proved who it is: the session, and its cookie. */
import type { Session } from "@forgeline/schemas/sessions/resource.ts";
import type { Reply } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { csrfTokenOf, sessionCookie } from "../../../platform/credentials/session-cookie.ts";
import { presentSession, type OpenedSession } from "../../../domains/accounts/domain.ts";

export function signedIn({ row, token, maxAgeSeconds }: OpenedSession, addresses: Addresses): Reply<Session> {
  const body = presentSession(row, addresses, { currentId: row.id, csrfToken: csrfTokenOf(token) });
  return { body, location: body.url, headers: { "Set-Cookie": sessionCookie(token, maxAgeSeconds) } };
}
