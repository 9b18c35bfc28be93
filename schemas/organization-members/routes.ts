/** Operations on the members of organizations. */
import { z } from "zod";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { MemberQuery, OrganizationMember, OrganizationMemberSet } from "./resource.ts";

const MemberParams = z.strictObject({ ...OrganizationParams.shape, username: z.string().max(201) });

export const listOrganizationMembers = route({
  id: "listOrganizationMembers",
  method: "get",
  path: "/orgs/:org/members",
  tag: "organizations",
  summary: "Members of an organization, by name",
  access: "org_member",
  scope: "org:read",
  params: OrganizationParams,
  query: MemberQuery,
  status: 200,
  response: z.array(OrganizationMember),
  paginated: true,
  errors: [],
});

export const getOrganizationMember = route({
  id: "getOrganizationMember",
  method: "get",
  path: "/orgs/:org/members/:username",
  tag: "organizations",
  summary: "One member of an organization",
  access: "org_member",
  scope: "org:read",
  params: MemberParams,
  status: 200,
  response: OrganizationMember,
  errors: [],
});

export const setOrganizationMember = route({
  id: "setOrganizationMember",
  method: "put",
  path: "/orgs/:org/members/:username",
  tag: "organizations",
  summary: "Add a member, or change a member's role",
  description:
    "The user becomes a member immediately and is notified by mail; to ask first, use an invitation. The last owner cannot be made a member (409).",
  access: "org_owner",
  scope: "org:admin",
  params: MemberParams,
  body: OrganizationMemberSet,
  status: 200,
  response: OrganizationMember,
  errors: ["conflict"],
});

export const removeOrganizationMember = route({
  id: "removeOrganizationMember",
  method: "delete",
  path: "/orgs/:org/members/:username",
  tag: "organizations",
  summary: "Remove a member, or leave",
  description:
    "Owners can remove anyone, and members can remove themselves. The user leaves every team of the organization and is no longer a collaborator of its repositories. The last owner cannot be removed (409).",
  access: "org_member",
  scope: "org:admin",
  params: MemberParams,
  status: 204,
  errors: ["conflict"],
});
