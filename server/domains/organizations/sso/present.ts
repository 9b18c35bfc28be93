/** Single sign-on of organizations, and its identities, as the REST interface shows them. */
import type { OwnSsoIdentity, SsoConfiguration, SsoIdentity } from "@forgeline/schemas/sso/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentUser } from "../../accounts/domain.ts";
import type { ConfigurationRow } from "./configuration.store.ts";
import { callbackUrlOf } from "./configuration.ts";
import type { IdentityRow } from "./identity.store.ts";
import type { LinkedMember } from "./identities.ts";

export function presentSsoConfiguration(row: ConfigurationRow, addresses: Addresses): SsoConfiguration {
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

/** For owners of the organization. */
export function presentSsoIdentity({ row, user }: LinkedMember, addresses: Addresses): SsoIdentity {
  const place = { api: `/orgs/${row.organization}/sso/identities`, web: `/orgs/${row.organization}/sso` };
  return { ...shared(row, addresses, place), user: presentUser(user, addresses) };
}

/** For the user whose it is. */
export function presentOwnSsoIdentity(row: IdentityRow, addresses: Addresses): OwnSsoIdentity {
  const place = { api: "/user/sso-identities", web: "/settings/sso" };
  return { ...shared(row, addresses, place), organization: row.organization };
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
