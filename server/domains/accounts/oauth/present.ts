/** OAuth apps, grants and requests as the REST interface shows them. */
import type { z } from "zod";
import type { OAuthApp, OAuthAppWithSecret, OAuthGrant } from "@forgeline/schemas/oauth/resource.ts";
import type { OAuthRequest } from "@forgeline/schemas/oauth/request-resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { AppRow } from "./app.store.ts";
import type { RegisteredApp } from "./apps.ts";
import { destinationOf, type AuthorizeRequest } from "./authorize-request.ts";
import type { GrantRow } from "./grant.store.ts";

/** Paths of the owner, before `/oauth-apps`. */
export interface OAuthAppPlace {
  api: string;
  web: string;
}

export function presentOAuthApp(row: AppRow, addresses: Addresses, place: OAuthAppPlace): OAuthApp {
  return {
    id: row.id,
    client_id: row.id,
    name: row.name,
    owner: row.owner,
    redirect_uris: row.redirect_uris,
    homepage_url: row.homepage_url,
    scopes: row.scopes,
    confidential: row.confidential,
    url: `${addresses.baseUrl}${place.api}/oauth-apps/${row.id}`,
    web_url: `${addresses.webUrl}${place.web}/oauth-apps#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentOAuthAppSecret(
  { row, secret }: RegisteredApp,
  addresses: Addresses,
  place: OAuthAppPlace,
): z.input<typeof OAuthAppWithSecret> {
  return { ...presentOAuthApp(row, addresses, place), client_secret: secret };
}

export function presentOAuthRequest({ app, scopes, redirectUri }: AuthorizeRequest): OAuthRequest {
  const { id, name, owner, homepage_url } = app;
  return {
    app: { id, name, owner, homepage_url },
    scopes: [...scopes],
    returns_to: destinationOf(redirectUri),
  };
}

export function presentOAuthGrant(row: GrantRow, addresses: Addresses): OAuthGrant {
  return {
    id: row.id,
    app: { id: row.app_id, name: row.app_name, owner: row.app_owner },
    scopes: row.scopes,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/user/grants/${row.id}`,
    web_url: `${addresses.webUrl}/settings/grants#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
