/** Operations on invitations: those of an organization, and the own ones. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Organization } from "../organizations/resource.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { Invitation, InvitationCreate } from "./resource.ts";

const InvitationParams = z.strictObject({ ...OrganizationParams.shape, id: idOf("inv") });
const OwnInvitationParams = z.strictObject({ id: idOf("inv") });
const ofOwners = { access: "org_owner", scope: "org:admin", tag: "organizations" } as const;
const own = { access: "user", tag: "organizations" } as const;

export const listInvitations = route({
  ...ofOwners,
  id: "listInvitations",
  method: "get",
  path: "/orgs/:org/invitations",
  summary: "Open invitations of an organization, newest first",
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: z.array(Invitation),
  paginated: true,
  errors: [],
});

export const createInvitation = route({
  ...ofOwners,
  id: "createInvitation",
  method: "post",
  path: "/orgs/:org/invitations",
  summary: "Invite a user",
  description: "Valid for 7 days. The user is notified by mail.",
  params: OrganizationParams,
  body: InvitationCreate,
  status: 201,
  response: Invitation,
  errors: ["conflict"],
});

export const getInvitation = route({
  ...ofOwners,
  id: "getInvitation",
  method: "get",
  path: "/orgs/:org/invitations/:id",
  summary: "One open invitation",
  params: InvitationParams,
  status: 200,
  response: Invitation,
  errors: [],
});

export const revokeInvitation = route({
  ...ofOwners,
  id: "revokeInvitation",
  method: "delete",
  path: "/orgs/:org/invitations/:id",
  summary: "Revoke an invitation",
  params: InvitationParams,
  status: 204,
  errors: [],
});

export const listOwnInvitations = route({
  ...own,
  id: "listOwnInvitations",
  method: "get",
  path: "/user/invitations",
  summary: "Open invitations of the authenticated user, newest first",
  scope: "user:read",
  query: PageQuery,
  status: 200,
  response: z.array(Invitation),
  paginated: true,
  errors: [],
});

export const getOwnInvitation = route({
  ...own,
  id: "getOwnInvitation",
  method: "get",
  path: "/user/invitations/:id",
  summary: "One open invitation of the authenticated user",
  scope: "user:read",
  params: OwnInvitationParams,
  status: 200,
  response: Invitation,
  errors: [],
});

export const acceptInvitation = route({
  ...own,
  id: "acceptInvitation",
  method: "post",
  path: "/user/invitations/:id/accept",
  summary: "Accept an invitation",
  description: "Returns the organization that the user has joined.",
  scope: "user:write",
  params: OwnInvitationParams,
  status: 200,
  response: Organization,
  errors: [],
});

export const declineInvitation = route({
  ...own,
  id: "declineInvitation",
  method: "delete",
  path: "/user/invitations/:id",
  summary: "Decline an invitation",
  scope: "user:write",
  params: OwnInvitationParams,
  status: 204,
  errors: [],
});
