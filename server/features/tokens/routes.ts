/** Binds the operations about own access tokens. */
import type { AccessToken } from "@forgeline/schemas/tokens/resource.ts";
import { createToken, listTokens, revokeToken } from "@forgeline/schemas/tokens/routes.ts";
import type { RouteBinder } from "../../http/route-binder.ts";
import type { Addresses } from "../../platform/addresses.ts";
import type { TokenService } from "./service.ts";
import type { AccessTokenRow } from "./store.ts";

export function registerTokenRoutes(
  app: RouteBinder,
  deps: { tokens: TokenService; addresses: Addresses },
): void {
  const { tokens, addresses } = deps;
  app.bind(listTokens, async ({ actor, query }) => {
    const { rows, total } = await tokens.list(actor, query);
    return { body: rows.map((row) => present(row, addresses)), total };
  });
  app.bind(createToken, async ({ actor, body }) => {
    const { row, token } = await tokens.create(actor, {
      name: body.name,
      scopes: body.scopes,
      expiresInDays: body.expires_in_days ?? null,
    });
    const shown = present(row, addresses);
    return { body: { ...shown, token }, location: shown.url };
  });
  app.bind(revokeToken, async ({ actor, params }) => tokens.revoke(actor, params.id));
}

function present(row: AccessTokenRow, addresses: Addresses): AccessToken {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/user/tokens/${row.id}`,
    web_url: `${addresses.webUrl}/settings/tokens#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.created_at.toISOString(),
  };
}
