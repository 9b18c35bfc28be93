/** Binds the operations on OAuth apps, grants and consent. */
import * as contracts from "@forgeline/schemas/oauth/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { userIdOf } from "../../../platform/access/actor.ts";
import {
  presentOAuthApp,
  presentOAuthAppSecret,
  presentOAuthGrant,
  presentOAuthRequest,
  type ConsentService,
  type GrantService,
  type OAuthAppService,
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
  app.bind(contracts.listOAuthApps, async ({ actor, query }) => {
    const { rows, total } = await oauthApps.list(userIdOf(actor), query);
    return { body: rows.map((row) => presentOAuthApp(row, addresses, place)), total };
  });
  app.bind(contracts.createOAuthApp, async ({ actor, body }) => {
    const made = await oauthApps.create(actor, userIdOf(actor), body);
    const shown = presentOAuthAppSecret(made, addresses, place);
    return { body: shown, location: shown.url };
  });
  app.bind(contracts.getOAuthApp, async ({ actor, params }) => ({
    body: presentOAuthApp(await oauthApps.get(userIdOf(actor), params.id), addresses, place),
  }));
  app.bind(contracts.updateOAuthApp, async ({ actor, params, body }) => {
    const row = await oauthApps.update(actor, { ownerId: userIdOf(actor), id: params.id }, body);
    return { body: presentOAuthApp(row, addresses, place) };
  });
  app.bind(contracts.rotateOAuthAppSecret, async ({ actor, params }) => {
    const made = await oauthApps.rotateSecret(actor, userIdOf(actor), params.id);
    return { body: presentOAuthAppSecret(made, addresses, place) };
  });
  app.bind(contracts.deleteOAuthApp, async ({ actor, params }) =>
    oauthApps.remove(actor, userIdOf(actor), params.id),
  );
}

function registerOrganizationApps(app: RouteBinder, { oauthApps, addresses }: OAuthRouteDeps): void {
  const pathsOf = (name: string) => ({ api: `/orgs/${name}`, web: `/orgs/${name}` });
  app.bindOrganization(contracts.listOrgOAuthApps, async ({ organization, query }) => {
    const { rows, total } = await oauthApps.list(organization.id, query);
    const place = pathsOf(organization.name);
    return { body: rows.map((row) => presentOAuthApp(row, addresses, place)), total };
  });
  app.bindOrganization(contracts.createOrgOAuthApp, async ({ actor, organization, body }) => {
    const made = await oauthApps.create(actor, organization.id, body);
    const shown = presentOAuthAppSecret(made, addresses, pathsOf(organization.name));
    return { body: shown, location: shown.url };
  });
  app.bindOrganization(contracts.getOrgOAuthApp, async ({ organization, params }) => ({
    body: presentOAuthApp(
      await oauthApps.get(organization.id, params.id),
      addresses,
      pathsOf(organization.name),
    ),
  }));
  app.bindOrganization(contracts.updateOrgOAuthApp, async ({ actor, organization, params, body }) => {
    const row = await oauthApps.update(actor, { ownerId: organization.id, id: params.id }, body);
    return { body: presentOAuthApp(row, addresses, pathsOf(organization.name)) };
  });
  app.bindOrganization(contracts.rotateOrgOAuthAppSecret, async ({ actor, organization, params }) => {
    const made = await oauthApps.rotateSecret(actor, organization.id, params.id);
    return { body: presentOAuthAppSecret(made, addresses, pathsOf(organization.name)) };
  });
  app.bindOrganization(contracts.deleteOrgOAuthApp, async ({ actor, organization, params }) =>
    oauthApps.remove(actor, organization.id, params.id),
  );
}

function registerGrants(app: RouteBinder, { grants, addresses }: OAuthRouteDeps): void {
  app.bind(contracts.listGrants, async ({ actor, query }) => {
    const { rows, total } = await grants.list(actor, query);
    return { body: rows.map((row) => presentOAuthGrant(row, addresses)), total };
  });
  app.bind(contracts.getGrant, async ({ actor, params }) => ({
    body: presentOAuthGrant(await grants.get(actor, params.id), addresses),
  }));
  app.bind(contracts.withdrawGrant, async ({ actor, params }) => grants.withdraw(actor, params.id));
}

function registerRequests(app: RouteBinder, { consent }: OAuthRouteDeps): void {
  app.bind(contracts.readOAuthRequest, async ({ body }) => ({
    body: presentOAuthRequest(await consent.read(body.request)),
  }));
  app.bind(contracts.decideOAuthRequest, async ({ actor, body }) => ({
    body: { location: await consent.decide(actor, body.request, body.decision) },
  }));
}
