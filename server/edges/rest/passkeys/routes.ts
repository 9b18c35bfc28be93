/** Binds the operations about passkeys, and signing in with one. */
import {
  createPasskey,
  createPasskeySession,
  deletePasskey,
  getPasskey,
  listPasskeys,
  preparePasskey,
  preparePasskeySignIn,
} from "@forgeline/schemas/passkeys/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError } from "../../../platform/app-error.ts";
import { readSessionCookie, refuseForeignPage } from "../../../platform/credentials/session-cookie.ts";
import { signedIn } from "../sign-in/answer.ts";
import { presentPasskey, type PasskeyService } from "../../../domains/accounts/domain.ts";

export interface PasskeyRouteDeps {
  passkeys: PasskeyService;
  addresses: Addresses;
}

export function registerPasskeyRoutes(app: RouteBinder, deps: PasskeyRouteDeps): void {
  const { passkeys, addresses } = deps;
  app.bind(listPasskeys, async ({ actor, query }) => {
    const { rows, total } = await passkeys.list(actor, query);
    return { body: rows.map((row) => presentPasskey(row, addresses)), total };
  });
  app.bind(getPasskey, async ({ actor, params }) => ({
    body: presentPasskey(await passkeys.get(actor, params.id), addresses),
  }));
  app.bind(preparePasskey, async ({ actor, body }) => ({
    body: { ...(await passkeys.prepare(actor, body.password)) },
  }));
  app.bind(createPasskey, async ({ actor, body }) => {
    const shown = presentPasskey(await passkeys.register(actor, body.name, body.credential), addresses);
    return { body: shown, location: shown.url };
  });
  app.bind(deletePasskey, async ({ actor, params }) => passkeys.remove(actor, params.id));
  app.bind(preparePasskeySignIn, async ({ raw }) => {
    refuseForeignPage(raw.req.headers, addresses.webUrl);
    return { body: { ...(await passkeys.prepareSignIn()) } };
  });
  app.bind(createPasskeySession, async ({ actor, body, raw }) => {
    const { headers } = raw.req;
    refuseForeignPage(headers, addresses.webUrl);
    if (!actor.request) throw new AppError("unauthorized");
    const replaces = readSessionCookie(headers.cookie);
    return signedIn(await passkeys.signIn(body.credential, actor.request, replaces), addresses);
  });
}
