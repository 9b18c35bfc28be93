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
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  presentInvitation,
  presentOrganization,
  presentOwnInvitation,
  type InvitationService,
} from "../../../domains/organizations/domain.ts";

export interface InvitationRouteDeps {
  invitations: InvitationService;
  addresses: Addresses;
}

export function registerInvitationRoutes(app: RouteBinder, deps: InvitationRouteDeps): void {
  const { invitations, addresses } = deps;
  app.bindOrganization(listInvitations, async ({ organization, query }) => {
    const { rows, total } = await invitations.list(organization, query);
    return { body: rows.map((row) => presentInvitation(row, addresses)), total };
  });
  app.bindOrganization(createInvitation, async ({ actor, organization, body }) => {
    const shown = presentInvitation(await invitations.create(actor, organization, body), addresses);
    return { body: shown, location: shown.url };
  });
  app.bindOrganization(getInvitation, async ({ organization, params }) => ({
    body: presentInvitation(await invitations.get(organization, params.id), addresses),
  }));
  app.bindOrganization(revokeInvitation, ({ actor, organization, params }) =>
    invitations.revoke(actor, organization, params.id),
  );
  bindOwn(app, deps);
}

function bindOwn(app: RouteBinder, { invitations, addresses }: InvitationRouteDeps): void {
  app.bind(listOwnInvitations, async ({ actor, query }) => {
    const { rows, total } = await invitations.listOwn(actor, query);
    return { body: rows.map((row) => presentOwnInvitation(row, addresses)), total };
  });
  app.bind(getOwnInvitation, async ({ actor, params }) => ({
    body: presentOwnInvitation(await invitations.getOwn(actor, params.id), addresses),
  }));
  app.bind(acceptInvitation, async ({ actor, params }) => ({
    body: presentOrganization(await invitations.accept(actor, params.id), addresses),
  }));
  app.bind(declineInvitation, ({ actor, params }) => invitations.decline(actor, params.id));
}
