/** Binds the operations about own access tokens. */
import type { AccessToken } from "@forgeline/schemas/tokens/resource.ts";
import { createToken, getToken, listTokens, revokeToken } from "@forgeline/schemas/tokens/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryService } from "../../../domains/hosting/domain.ts";
import { presentTokens, type TokenService, type AccessTokenRow } from "../../../domains/accounts/domain.ts";

export interface TokenRouteDeps {
  tokens: TokenService;
  repositories: Pick<RepositoryService, "visibleNames">;
  addresses: Addresses;
}

export function registerTokenRoutes(app: RouteBinder, deps: TokenRouteDeps): void {
  const { tokens } = deps;

  const present = (actor: Actor, rows: readonly AccessTokenRow[]) =>
    presentTokens(deps, actor, {
      rows,
      at: {
        url: `${deps.addresses.baseUrl}/user/tokens/`,
        webUrl: `${deps.addresses.webUrl}/settings/tokens#`,
      },
    });
  async function presentOne(actor: Actor, row: AccessTokenRow): Promise<AccessToken> {
    const [shown] = await present(actor, [row]);
    if (!shown) throw new Error("one row gave no record");
    return shown;
  }

  app.bind(listTokens, async ({ actor, query }) => {
    const { rows, total } = await tokens.list(actor, query);
    return { body: await present(actor, rows), total };
  });
  app.bind(getToken, async ({ actor, params }) => ({
    body: await presentOne(actor, await tokens.get(actor, params.id)),
  }));
  app.bind(createToken, async ({ actor, body }) => {
    const { row, token } = await tokens.create(actor, {
      name: body.name,
      scopes: body.scopes,
      expiresInDays: body.expires_in_days ?? null,
      repositories: body.repositories,
      addressRanges: body.address_ranges,
    });
    const shown = await presentOne(actor, row);
    return { body: { ...shown, token }, location: shown.url };
  });
  app.bind(revokeToken, async ({ actor, params }) => tokens.revoke(actor, params.id));
}
