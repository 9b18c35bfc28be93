/** Binds the operations on single sign-on of organizations. */
import {
  deleteOwnSsoIdentity,
  deleteSso,
  deleteSsoIdentity,
  getSso,
  listOwnSsoIdentities,
  listSsoIdentities,
  setSso,
} from "@forgeline/schemas/sso/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  presentOwnSsoIdentity,
  presentSsoConfiguration,
  presentSsoIdentity,
  type SsoConfigurationService,
  type SsoIdentityService,
} from "../../../domains/organizations/domain.ts";

export interface SsoRouteDeps {
  ssoConfiguration: SsoConfigurationService;
  ssoIdentities: SsoIdentityService;
  addresses: Addresses;
}

export function registerSsoRoutes(app: RouteBinder, deps: SsoRouteDeps): void {
  const { ssoConfiguration, ssoIdentities, addresses } = deps;
  app.bindOrganization(getSso, async ({ organization }) => ({
    body: presentSsoConfiguration(await ssoConfiguration.get(organization), addresses),
  }));
  app.bindOrganization(setSso, async ({ actor, organization, body }) => ({
    body: presentSsoConfiguration(await ssoConfiguration.set(actor, organization, body), addresses),
  }));
  app.bindOrganization(deleteSso, ({ actor, organization }) => ssoConfiguration.remove(actor, organization));
  app.bindOrganization(listSsoIdentities, async ({ organization, query }) => {
    const { identities, total } = await ssoIdentities.listOfOrganization(organization, query);
    return { body: identities.map((identity) => presentSsoIdentity(identity, addresses)), total };
  });
  app.bindOrganization(deleteSsoIdentity, ({ actor, organization, params }) =>
    ssoIdentities.part(actor, organization, params.id),
  );
  app.bind(listOwnSsoIdentities, async ({ actor, query }) => {
    const { rows, total } = await ssoIdentities.listOwn(actor, query);
    return { body: rows.map((row) => presentOwnSsoIdentity(row, addresses)), total };
  });
  app.bind(deleteOwnSsoIdentity, ({ actor, params }) => ssoIdentities.partOwn(actor, params.id));
}
