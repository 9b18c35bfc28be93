/** Binds signing in and the change of the password. */
import { createSession } from "@forgeline/schemas/sessions/routes.ts";
import { changePassword } from "@forgeline/schemas/users/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import {
  endedSessionCookie,
  readSessionCookie,
  refuseForeignPage,
} from "../../../platform/credentials/session-cookie.ts";
import { signedIn } from "./answer.ts";
import type { SignInService } from "../../../domains/accounts/domain.ts";

export function registerSignInRoutes(
  app: RouteBinder,
  deps: { signIn: SignInService; addresses: Addresses },
): void {
  const { signIn, addresses } = deps;
  app.bind(createSession, async ({ actor, body, raw }) => {
    const { headers } = raw.req;
    refuseForeignPage(headers, addresses.webUrl);
    if (!actor.request) throw new AppError("unauthorized");
    const replaces = readSessionCookie(headers.cookie);
    return signedIn(await signIn.signIn(body, actor.request, replaces), addresses);
  });
  app.bind(changePassword, async ({ actor, body, raw }) => {
    await signIn.changePassword(actor, body.current_password, body.password);
    if (actor.sessionId) raw.res.setHeader("Set-Cookie", endedSessionCookie);
  });
}
