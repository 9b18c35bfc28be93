/** Operations on how long repositories and organizations keep runs and what belongs to them. */
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Retention, RetentionSet } from "./resource.ts";

const ofRepository = {
  tag: "pipelines",
  access: "repo_admin",
  scope: "repo:admin",
  path: "/repos/:owner/:repo/retention",
  params: RepositoryParams,
} as const;
const ofOrganization = {
  tag: "pipelines",
  access: "org_owner",
  scope: "org:admin",
  path: "/orgs/:org/retention",
  params: OrganizationParams,
} as const;

const get = { method: "get", status: 200, response: Retention, errors: [] } as const;
const set = {
  method: "put",
  description:
    "Replaces all of them. What is too old goes within hours, for good. 422 for more days than the instance or the organization allows.",
  body: RetentionSet,
  status: 200,
  response: Retention,
} as const;

export const getRetention = route({
  ...ofRepository,
  ...get,
  archived: "allowed",
  id: "getRetention",
  summary: "How long a repository keeps runs and what belongs to them",
});

export const setRetention = route({
  ...ofRepository,
  ...set,
  id: "setRetention",
  summary: "Set how long a repository keeps runs and what belongs to them",
  errors: ["repository_archived"],
});

export const getOrganizationRetention = route({
  ...ofOrganization,
  ...get,
  id: "getOrganizationRetention",
  summary: "How long the repositories of an organization keep runs and what belongs to them",
});

export const setOrganizationRetention = route({
  ...ofOrganization,
  ...set,
  id: "setOrganizationRetention",
  summary: "Set how long the repositories of an organization keep runs and what belongs to them",
  errors: [],
});
