/** Operations on secrets of environments, repositories, organizations and the instance. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { EnvironmentName } from "../environments/resource.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { JobCredentials } from "./credentials.ts";
import {
  InstanceSecretPut,
  OrganizationSecretPut,
  Secret,
  SecretName,
  SecretPut,
  SecretUse,
} from "./resource.ts";

const ofRepository = { tag: "secrets", access: "repo_write", scope: "pipeline:write" } as const;
const ofEnvironment = { ...ofRepository, access: "repo_maintain" } as const;
const ofOrganization = { tag: "secrets", access: "org_owner", scope: "org:admin" } as const;
const ofInstance = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;

const InRepository = z.strictObject({ ...RepositoryParams.shape, name: SecretName });
const OfEnvironment = z.strictObject({ ...RepositoryParams.shape, environment: EnvironmentName });
const InEnvironment = z.strictObject({ ...OfEnvironment.shape, name: SecretName });
const InOrganization = z.strictObject({ ...OrganizationParams.shape, name: SecretName });
const InInstance = z.strictObject({ name: SecretName });

const list = {
  method: "get",
  query: PageQuery,
  status: 200,
  response: z.array(Secret),
  paginated: true,
} as const;
const put = {
  method: "put",
  body: SecretPut,
  bodyLimitBytes: largeBodyBytes,
  status: 201,
  mayExist: true,
  response: Secret,
} as const;
const remove = { method: "delete", status: 204 } as const;
const uses = {
  method: "get",
  query: PageQuery,
  status: 200,
  response: z.array(SecretUse),
  paginated: true,
} as const;

const putDescription =
  "Replaces value and limits as a whole; limits that are left out are lifted. Nobody can read the value again, and whoever changes the limits must know it. A job that already has the secret keeps the value that it was given.";
const usesDescription = "One entry for each attempt of a job that was given the secret in the last 90 days.";

export const listSecrets = route({
  ...ofRepository,
  ...list,
  archived: "allowed",
  id: "listSecrets",
  path: "/repos/:owner/:repo/secrets",
  summary: "Secrets of a repository, by name, without their values",
  params: RepositoryParams,
  errors: [],
});
export const putSecret = route({
  ...ofRepository,
  ...put,
  id: "putSecret",
  path: "/repos/:owner/:repo/secrets/:name",
  summary: "Set a secret of a repository",
  description: putDescription,
  params: InRepository,
  errors: ["repository_archived", "conflict"],
});
export const deleteSecret = route({
  ...ofRepository,
  ...remove,
  archived: "allowed",
  id: "deleteSecret",
  path: "/repos/:owner/:repo/secrets/:name",
  summary: "Delete a secret of a repository",
  params: InRepository,
  errors: [],
});
export const listSecretUses = route({
  ...ofRepository,
  ...uses,
  archived: "allowed",
  id: "listSecretUses",
  path: "/repos/:owner/:repo/secrets/:name/uses",
  summary: "Jobs that were given a secret of a repository, newest first",
  description: usesDescription,
  params: InRepository,
  errors: [],
});

export const listJobCredentials = route({
  ...ofRepository,
  method: "get",
  status: 200,
  archived: "allowed",
  id: "listJobCredentials",
  path: "/repos/:owner/:repo/pipelines/:id/credentials",
  summary: "What jobs of a run were given: secrets by name, and identity tokens",
  description:
    "One entry for each attempt that was given something, in the order of the file. Uses of secrets are kept for at least 90 days.",
  params: RepositoryParams.extend({ id: z.string().describe("Id or number.") }),
  query: z.strictObject({ job: idOf("job").optional().describe("Only this job.") }),
  response: z.array(JobCredentials),
  errors: [],
});

export const listEnvironmentSecrets = route({
  ...ofRepository,
  ...list,
  archived: "allowed",
  id: "listEnvironmentSecrets",
  path: "/repos/:owner/:repo/environments/:environment/secrets",
  summary: "Secrets of an environment, by name, without their values",
  params: OfEnvironment,
  errors: [],
});
export const putEnvironmentSecret = route({
  ...ofEnvironment,
  ...put,
  id: "putEnvironmentSecret",
  path: "/repos/:owner/:repo/environments/:environment/secrets/:name",
  summary: "Set a secret of the jobs that deploy to an environment",
  description: putDescription,
  params: InEnvironment,
  errors: ["repository_archived", "conflict"],
});
export const deleteEnvironmentSecret = route({
  ...ofEnvironment,
  ...remove,
  archived: "allowed",
  id: "deleteEnvironmentSecret",
  path: "/repos/:owner/:repo/environments/:environment/secrets/:name",
  summary: "Delete a secret of an environment",
  params: InEnvironment,
  errors: [],
});
export const listEnvironmentSecretUses = route({
  ...ofRepository,
  ...uses,
  archived: "allowed",
  id: "listEnvironmentSecretUses",
  path: "/repos/:owner/:repo/environments/:environment/secrets/:name/uses",
  summary: "Jobs that were given a secret of an environment, newest first",
  description: usesDescription,
  params: InEnvironment,
  errors: [],
});

export const listOrganizationSecrets = route({
  ...ofOrganization,
  ...list,
  id: "listOrganizationSecrets",
  path: "/orgs/:org/secrets",
  summary: "Secrets of an organization, by name, without their values",
  params: OrganizationParams,
  errors: [],
});
export const putOrganizationSecret = route({
  ...ofOrganization,
  ...put,
  body: OrganizationSecretPut,
  id: "putOrganizationSecret",
  path: "/orgs/:org/secrets/:name",
  summary: "Set a secret of an organization",
  description: putDescription,
  params: InOrganization,
  errors: ["conflict"],
});
export const deleteOrganizationSecret = route({
  ...ofOrganization,
  ...remove,
  id: "deleteOrganizationSecret",
  path: "/orgs/:org/secrets/:name",
  summary: "Delete a secret of an organization",
  params: InOrganization,
  errors: [],
});
export const listOrganizationSecretUses = route({
  ...ofOrganization,
  ...uses,
  id: "listOrganizationSecretUses",
  path: "/orgs/:org/secrets/:name/uses",
  summary: "Jobs that were given a secret of an organization, newest first",
  description: usesDescription,
  params: InOrganization,
  errors: [],
});

export const listInstanceSecrets = route({
  ...ofInstance,
  ...list,
  id: "listInstanceSecrets",
  path: "/admin/secrets",
  summary: "Secrets of the instance, by name, without their values",
  errors: [],
});
export const putInstanceSecret = route({
  ...ofInstance,
  ...put,
  body: InstanceSecretPut,
  id: "putInstanceSecret",
  path: "/admin/secrets/:name",
  summary: "Set a secret of the instance",
  description: putDescription,
  params: InInstance,
  errors: ["conflict"],
});
export const deleteInstanceSecret = route({
  ...ofInstance,
  ...remove,
  id: "deleteInstanceSecret",
  path: "/admin/secrets/:name",
  summary: "Delete a secret of the instance",
  params: InInstance,
  errors: [],
});
export const listInstanceSecretUses = route({
  ...ofInstance,
  ...uses,
  id: "listInstanceSecretUses",
  path: "/admin/secrets/:name/uses",
  summary: "Jobs that were given a secret of the instance, newest first",
  description: usesDescription,
  params: InInstance,
  errors: [],
});
