/** Binds the operations on single sign-on of organizations. */
import type { OwnSsoIdentity, SsoConfiguration, SsoIdentity } from "@forgeline/schemas/sso/resource.ts";
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
import { presentUser, type UserService } from "../../../domains/accounts/domain.ts";
import {
  callbackUrlOf,
  type SsoConfigurationService,
  type ConfigurationRow,
  type SsoIdentityService,
  type IdentityRow,
} from "../../../domains/organizations/domain.ts";

export interface SsoRouteDeps {
  ssoConfiguration: SsoConfigurationService;
  ssoIdentities: SsoIdentityService;
  users: Pick<UserService, "getMany">;
  addresses: Addresses;
}

export function registerSsoRoutes(app: RouteBinder, deps: SsoRouteDeps): void {
  const { ssoConfiguration, ssoIdentities, addresses } = deps;
  app.bindOrganization(getSso, async ({ organization }) => ({
    body: present(await ssoConfiguration.get(organization), addresses),
  }));
  app.bindOrganization(setSso, async ({ actor, organization, body }) => ({
    body: present(await ssoConfiguration.set(actor, organization, body), addresses),
  }));
  app.bindOrganization(deleteSso, ({ actor, organization }) => ssoConfiguration.remove(actor, organization));
  app.bindOrganization(listSsoIdentities, async ({ organization, query }) => {
    const { rows, total } = await ssoIdentities.listOfOrganization(organization, query);
    const users = await deps.users.getMany(rows.map((row) => row.user_id));
    const shown = rows.flatMap((row): SsoIdentity[] => {
      const user = users.get(row.user_id);
      const place = { api: `/orgs/${row.organization}/sso/identities`, web: `/orgs/${row.organization}/sso` };
      return user ? [{ ...shared(row, addresses, place), user: presentUser(user, addresses) }] : [];
    });
    return { body: shown, total };
  });
  app.bindOrganization(deleteSsoIdentity, ({ actor, organization, params }) =>
    ssoIdentities.part(actor, organization, params.id),
  );
  app.bind(listOwnSsoIdentities, async ({ actor, query }) => {
    const { rows, total } = await ssoIdentities.listOwn(actor, query);
    const place = { api: "/user/sso-identities", web: "/settings/sso" };
    const shown = rows.map((row): OwnSsoIdentity => {
      return { ...shared(row, addresses, place), organization: row.organization };
    });
    return { body: shown, total };
  });
  app.bind(deleteOwnSsoIdentity, ({ actor, params }) => ssoIdentities.partOwn(actor, params.id));
}

function present(row: ConfigurationRow, addresses: Addresses): SsoConfiguration {
  const name = encodeURIComponent(row.organization);
  return {
    id: row.id,
    issuer: row.issuer,
    client_id: row.client_id,
    email_domains: row.email_domains,
    provision: row.provision,
    enabled: row.enabled,
    sign_in_url: `${addresses.webUrl}/login/sso/${name}`,
    callback_url: callbackUrlOf(addresses, row.organization_id),
    url: `${addresses.baseUrl}/orgs/${name}/sso`,
    web_url: `${addresses.webUrl}/orgs/${name}/sso`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function shared(row: IdentityRow, addresses: Addresses, place: { api: string; web: string }) {
  return {
    id: row.id,
    issuer: row.issuer,
    subject: row.subject,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}${place.api}/${row.id}`,
    web_url: `${addresses.webUrl}${place.web}#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: (row.last_used_at ?? row.created_at).toISOString(),
  };
}
