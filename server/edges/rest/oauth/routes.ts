/** Binds the operations about OAuth apps, about what one has allowed, and about what one is asked for. */
import type { z } from "zod";
import type { OAuthApp, OAuthAppWithSecret, OAuthGrant } from "@forgeline/schemas/oauth/resource.ts";
import type { OAuthRequest } from "@forgeline/schemas/oauth/request-resource.ts";
import * as contracts from "@forgeline/schemas/oauth/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { userIdOf } from "../../../platform/access/actor.ts";
import {
  type AppRow,
  type OAuthAppService,
  type RegisteredApp,
  destinationOf,
  type AuthorizeRequest,
  type ConsentService,
  type GrantRow,
  type GrantService,
} from "../../../domains/accounts/domain.ts";

export interface OAuthRouteDeps {
  oauthApps: OAuthAppService;
  grants: GrantService;
  consent: ConsentService;
  addresses: Addresses;
}

export function registerOAuthRoutes(app: RouteBinder, deps: OAuthRouteDeps): void {
  registerOwnApps(app, deps);
  registerOrganizationApps(app, deps);
  registerGrants(app, deps);
  registerRequests(app, deps);
}

function registerOwnApps(app: RouteBinder, { oauthApps, addresses }: OAuthRouteDeps): void {
  const place = { api: "/user", web: "/settings" };
  const shown = (row: AppRow) => presentApp(row, addresses, place);
  const withSecret = (made: RegisteredApp) => presentSecret(made, addresses, place);
  app.bind(contracts.listOAuthApps, async ({ actor, query }) => {
    const { rows, total } = await oauthApps.list(userIdOf(actor), query);
    return { body: rows.map(shown), total };
  });
  app.bind(contracts.createOAuthApp, async ({ actor, body }) => {
    const made = withSecret(await oauthApps.create(actor, userIdOf(actor), body));
    return { body: made, location: made.url };
  });
  app.bind(contracts.getOAuthApp, async ({ actor, params }) => ({
    body: shown(await oauthApps.get(userIdOf(actor), params.id)),
  }));
  app.bind(contracts.updateOAuthApp, async ({ actor, params, body }) => ({
    body: shown(await oauthApps.update(actor, { ownerId: userIdOf(actor), id: params.id }, body)),
  }));
  app.bind(contracts.rotateOAuthAppSecret, async ({ actor, params }) => ({
    body: withSecret(await oauthApps.rotateSecret(actor, userIdOf(actor), params.id)),
  }));
  app.bind(contracts.deleteOAuthApp, async ({ actor, params }) =>
    oauthApps.remove(actor, userIdOf(actor), params.id),
  );
}

function registerOrganizationApps(app: RouteBinder, { oauthApps, addresses }: OAuthRouteDeps): void {
  const pathsOf = (name: string) => ({ api: `/orgs/${name}`, web: `/orgs/${name}` });
  app.bindOrganization(contracts.listOrgOAuthApps, async ({ organization, query }) => {
    const { rows, total } = await oauthApps.list(organization.id, query);
    const place = pathsOf(organization.name);
    return { body: rows.map((row) => presentApp(row, addresses, place)), total };
  });
  app.bindOrganization(contracts.createOrgOAuthApp, async ({ actor, organization, body }) => {
    const made = await oauthApps.create(actor, organization.id, body);
    const shown = presentSecret(made, addresses, pathsOf(organization.name));
    return { body: shown, location: shown.url };
  });
  app.bindOrganization(contracts.getOrgOAuthApp, async ({ organization, params }) => ({
    body: presentApp(await oauthApps.get(organization.id, params.id), addresses, pathsOf(organization.name)),
  }));
  app.bindOrganization(contracts.updateOrgOAuthApp, async ({ actor, organization, params, body }) => {
    const row = await oauthApps.update(actor, { ownerId: organization.id, id: params.id }, body);
    return { body: presentApp(row, addresses, pathsOf(organization.name)) };
  });
  app.bindOrganization(contracts.rotateOrgOAuthAppSecret, async ({ actor, organization, params }) => {
    const made = await oauthApps.rotateSecret(actor, organization.id, params.id);
    return { body: presentSecret(made, addresses, pathsOf(organization.name)) };
  });
  app.bindOrganization(contracts.deleteOrgOAuthApp, async ({ actor, organization, params }) =>
    oauthApps.remove(actor, organization.id, params.id),
  );
}

function registerGrants(app: RouteBinder, { grants, addresses }: OAuthRouteDeps): void {
  app.bind(contracts.listGrants, async ({ actor, query }) => {
    const { rows, total } = await grants.list(actor, query);
    return { body: rows.map((row) => presentGrant(row, addresses)), total };
  });
  app.bind(contracts.getGrant, async ({ actor, params }) => ({
    body: presentGrant(await grants.get(actor, params.id), addresses),
  }));
  app.bind(contracts.withdrawGrant, async ({ actor, params }) => grants.withdraw(actor, params.id));
}

function registerRequests(app: RouteBinder, { consent }: OAuthRouteDeps): void {
  app.bind(contracts.readOAuthRequest, async ({ body }) => ({
    body: presentRequest(await consent.read(body.request)),
  }));
  app.bind(contracts.decideOAuthRequest, async ({ actor, body }) => {
    const request = await consent.read(body.request);
    const allows = body.decision === "allow";
    return { body: { location: allows ? await consent.allow(actor, request) : consent.deny(request) } };
  });
}

/** Paths of the owner, before `/oauth-apps`. */
interface Place {
  api: string;
  web: string;
}

function presentApp(row: AppRow, addresses: Addresses, place: Place): OAuthApp {
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

function presentSecret(
  { row, secret }: RegisteredApp,
  addresses: Addresses,
  place: Place,
): z.input<typeof OAuthAppWithSecret> {
  return { ...presentApp(row, addresses, place), client_secret: secret };
}

function presentRequest({ app, scopes, redirectUri }: AuthorizeRequest): OAuthRequest {
  const { id, name, owner, homepage_url } = app;
  return {
    app: { id, name, owner, homepage_url },
    scopes: [...scopes],
    returns_to: destinationOf(redirectUri),
  };
}

function presentGrant(row: GrantRow, addresses: Addresses): OAuthGrant {
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
