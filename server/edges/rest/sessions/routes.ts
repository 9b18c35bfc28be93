/** Binds the operations about own sessions. */
import {
  endOtherSessions,
  endSession,
  getSession,
  listSessions,
} from "@forgeline/schemas/sessions/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  csrfTokenOf,
  endedSessionCookie,
  readSessionCookie,
} from "../../../platform/credentials/session-cookie.ts";
import { presentSession, type SessionService } from "../../../domains/accounts/domain.ts";

export function registerSessionRoutes(
  app: RouteBinder,
  deps: { sessions: SessionService; addresses: Addresses },
): void {
  const { sessions, addresses } = deps;
  app.bind(listSessions, async ({ actor, query }) => {
    const { rows, total } = await sessions.list(actor, query);
    return { body: rows.map((row) => presentSession(row, addresses, { currentId: actor.sessionId })), total };
  });
  app.bind(getSession, async ({ actor, params, raw }) => {
    const row = await sessions.get(actor, params.id);
    const { authorization, cookie } = raw.req.headers;
    const token = authorization === undefined ? readSessionCookie(cookie) : undefined;
    const csrfToken = token === undefined ? undefined : csrfTokenOf(token);
    return { body: presentSession(row, addresses, { currentId: actor.sessionId, csrfToken }) };
  });
  app.bind(endSession, async ({ actor, params, raw }) => {
    await sessions.end(actor, params.id);
    if (params.id === "current" || params.id === actor.sessionId)
      raw.res.setHeader("Set-Cookie", endedSessionCookie);
  });
  app.bind(endOtherSessions, async ({ actor }) => sessions.endOthers(actor));
}
