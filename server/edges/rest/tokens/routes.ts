/** Binds the operations about own access tokens. */
import { createToken, getToken, listTokens, revokeToken } from "@forgeline/schemas/tokens/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentToken, type TokenService } from "../../../domains/accounts/domain.ts";

export function registerTokenRoutes(
  app: RouteBinder,
  deps: { tokens: TokenService; addresses: Addresses },
): void {
  const { tokens, addresses } = deps;
  app.bind(listTokens, async ({ actor, query }) => {
    const { tokens: listed, total } = await tokens.list(actor, query);
    return { body: listed.map((token) => presentToken(token, addresses)), total };
  });
  app.bind(getToken, async ({ actor, params }) => ({
    body: presentToken(await tokens.get(actor, params.id), addresses),
  }));
  app.bind(createToken, async ({ actor, body }) => {
    const created = await tokens.create(actor, {
      name: body.name,
      scopes: body.scopes,
      expiresInDays: body.expires_in_days ?? null,
      repositories: body.repositories,
      addressRanges: body.address_ranges,
    });
    const shown = presentToken(created, addresses);
    return { body: { ...shown, token: created.token }, location: shown.url };
  });
  app.bind(revokeToken, async ({ actor, params }) => tokens.revoke(actor, params.id));
}
