/** Operations on organizations. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Repository } from "../repositories/resource.ts";
import { Organization, OrganizationCreate, OrganizationUpdate, OwnOrganization } from "./resource.ts";

export const OrganizationParams = z.strictObject({ org: z.string() });

export const createOrganization = route({
  id: "createOrganization",
  method: "post",
  path: "/orgs",
  tag: "organizations",
  summary: "Create an organization",
  description: "The caller becomes its first owner. Bots cannot create organizations.",
  access: "user",
  scope: "org:admin",
  body: OrganizationCreate,
  status: 201,
  response: Organization,
  errors: ["conflict"],
});

export const getOrganization = route({
  id: "getOrganization",
  method: "get",
  path: "/orgs/:org",
  tag: "organizations",
  summary: "One organization",
  description: "Everyone can see that an organization exists; only members can see its members and teams.",
  access: "org_visible",
  params: OrganizationParams,
  status: 200,
  response: Organization,
  errors: [],
});

export const updateOrganization = route({
  id: "updateOrganization",
  method: "patch",
  path: "/orgs/:org",
  tag: "organizations",
  summary: "Change an organization's settings",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationParams,
  body: OrganizationUpdate,
  status: 200,
  response: Organization,
  errors: [],
});

export const deleteOrganization = route({
  id: "deleteOrganization",
  method: "delete",
  path: "/orgs/:org",
  tag: "organizations",
  summary: "Delete an organization",
  description:
    "Only possible without repositories: delete or transfer them first. Its teams, invitations and bots are deleted as well; the name becomes available again.",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationParams,
  status: 204,
  errors: ["conflict"],
});

export const listUserOrganizations = route({
  id: "listUserOrganizations",
  method: "get",
  path: "/user/orgs",
  tag: "organizations",
  summary: "Organizations of the authenticated user, by name",
  access: "user",
  bots: "allowed",
  scope: "org:read",
  query: PageQuery,
  status: 200,
  response: z.array(OwnOrganization),
  paginated: true,
  errors: [],
});

export const listOrganizationRepositories = route({
  id: "listOrganizationRepositories",
  method: "get",
  path: "/orgs/:org/repos",
  tag: "organizations",
  summary: "Repositories of an organization that the caller can see, by name",
  access: "org_visible",
  scope: "repo:read",
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: z.array(Repository),
  paginated: true,
  errors: [],
});
