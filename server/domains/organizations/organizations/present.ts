/** Organization rows as the REST interface shows them. */
import type { Organization } from "@forgeline/schemas/organizations/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { OrganizationRow } from "./organizations.store.ts";

export function presentOrganization(row: OrganizationRow, addresses: Addresses): Organization {
  return {
    id: row.id,
    name: row.name,
    display_name: row.display_name,
    description: row.description,
    plan: row.plan,
    members_can_create_repositories: row.members_can_create_repositories,
    shared_concurrency: row.shared_concurrency,
    sso_configured: row.sso_configured,
    url: `${addresses.baseUrl}/orgs/${encodeURIComponent(row.name)}`,
    web_url: `${addresses.webUrl}/${encodeURIComponent(row.name)}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
