/** Binds the operations about passkeys, and signing in with one. */
import type { Passkey } from "@forgeline/schemas/passkeys/resource.ts";
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
import type { SignInService, PasskeyService, PasskeyRow } from "../../../domains/accounts/domain.ts";

export interface PasskeyRouteDeps {
  passkeys: PasskeyService;
  signIn: Pick<SignInService, "confirmPassword">;
  addresses: Addresses;
}

export function registerPasskeyRoutes(app: RouteBinder, deps: PasskeyRouteDeps): void {
  const { passkeys, addresses } = deps;
  app.bind(listPasskeys, async ({ actor, query }) => {
    const { rows, total } = await passkeys.list(actor, query);
    return { body: rows.map((row) => present(row, addresses)), total };
  });
  app.bind(getPasskey, async ({ actor, params }) => ({
    body: present(await passkeys.get(actor, params.id), addresses),
  }));
  app.bind(preparePasskey, async ({ actor, body }) => {
    await deps.signIn.confirmPassword(actor, body.password, "password");
    return { body: { ...(await passkeys.prepare(actor)) } };
  });
  app.bind(createPasskey, async ({ actor, body }) => {
    const shown = present(await passkeys.register(actor, body.name, body.credential), addresses);
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

function present(row: PasskeyRow, addresses: Addresses): Passkey {
  return {
    id: row.id,
    name: row.name,
    synced: row.synced,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/user/passkeys/${row.id}`,
    web_url: `${addresses.webUrl}/settings/passkeys#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: (row.last_used_at ?? row.created_at).toISOString(),
  };
}
