/** Invitations as the REST interface shows them. */
import type { Invitation } from "@forgeline/schemas/invitations/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { InvitationRow } from "./invitations.store.ts";

/** For owners of the organization. */
export function presentInvitation(row: InvitationRow, addresses: Addresses): Invitation {
  const parentUrl = `${addresses.baseUrl}/orgs/${encodeURIComponent(row.organization)}`;
  return presentBelow(parentUrl, row, addresses);
}

/** For the user who is invited. */
export function presentOwnInvitation(row: InvitationRow, addresses: Addresses): Invitation {
  return presentBelow(`${addresses.baseUrl}/user`, row, addresses);
}

function presentBelow(parentUrl: string, row: InvitationRow, addresses: Addresses): Invitation {
  return {
    id: row.id,
    organization: row.organization,
    username: row.username,
    role: row.role,
    invited_by: row.invited_by,
    expires_at: row.expires_at.toISOString(),
    url: `${parentUrl}/invitations/${row.id}`,
    web_url: `${addresses.webUrl}/settings/invitations#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.created_at.toISOString(),
  };
}
