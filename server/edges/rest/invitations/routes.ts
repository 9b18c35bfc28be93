/** Binds the operations on invitations. */
import {
  acceptInvitation,
  createInvitation,
  declineInvitation,
  getInvitation,
  getOwnInvitation,
  listInvitations,
  listOwnInvitations,
  revokeInvitation,
} from "@forgeline/schemas/invitations/routes.ts";
import type { Invitation } from "@forgeline/schemas/invitations/resource.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  type InvitationService,
  type InvitationRow,
  presentOrganization,
  type OrganizationService,
} from "../../../domains/organizations/domain.ts";

export interface InvitationRouteDeps {
  invitations: InvitationService;
  organizations: Pick<OrganizationService, "get">;
  addresses: Addresses;
}

export function registerInvitationRoutes(app: RouteBinder, deps: InvitationRouteDeps): void {
  const { invitations, addresses } = deps;
  const ofOrganization = (row: InvitationRow) =>
    present(row, `${addresses.baseUrl}/orgs/${encodeURIComponent(row.organization)}`, addresses);
  app.bindOrganization(listInvitations, async ({ organization, query }) => {
    const { rows, total } = await invitations.list(organization, query);
    return { body: rows.map(ofOrganization), total };
  });
  app.bindOrganization(createInvitation, async ({ actor, organization, body }) => {
    const shown = ofOrganization(await invitations.create(actor, organization, body));
    return { body: shown, location: shown.url };
  });
  app.bindOrganization(getInvitation, async ({ organization, params }) => ({
    body: ofOrganization(await invitations.get(organization, params.id)),
  }));
  app.bindOrganization(revokeInvitation, ({ actor, organization, params }) =>
    invitations.revoke(actor, organization, params.id),
  );
  bindOwn(app, deps);
}

function bindOwn(app: RouteBinder, { invitations, organizations, addresses }: InvitationRouteDeps): void {
  const own = (row: InvitationRow) => present(row, `${addresses.baseUrl}/user`, addresses);
  app.bind(listOwnInvitations, async ({ actor, query }) => {
    const { rows, total } = await invitations.listOwn(actor, query);
    return { body: rows.map(own), total };
  });
  app.bind(getOwnInvitation, async ({ actor, params }) => ({
    body: own(await invitations.getOwn(actor, params.id)),
  }));
  app.bind(acceptInvitation, async ({ actor, params }) => {
    const joined = await organizations.get(await invitations.accept(actor, params.id));
    return { body: presentOrganization(joined, addresses) };
  });
  app.bind(declineInvitation, ({ actor, params }) => invitations.decline(actor, params.id));
}

function present(row: InvitationRow, parentUrl: string, addresses: Addresses): Invitation {
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
