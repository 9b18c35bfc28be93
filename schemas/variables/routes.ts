/** Operations on the variables of environments, repositories, organizations and the instance: the same for all. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { EnvironmentName } from "../environments/resource.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { maxVariables, Variable, VariableName, VariableSet } from "./resource.ts";

const ofRepository = { tag: "pipelines", access: "repo_write", scope: "pipeline:write" } as const;
const ofEnvironment = { ...ofRepository, access: "repo_maintain" } as const;
const ofOrganization = { tag: "pipelines", access: "org_owner", scope: "org:admin" } as const;
const ofInstance = { tag: "pipelines", access: "instance_admin", scope: "org:admin" } as const;

const name = { name: VariableName };
const inRepository = "/repos/:owner/:repo/variables";
const inEnvironment = "/repos/:owner/:repo/environments/:environment/variables";
const inOrganization = "/orgs/:org/variables";
const inInstance = "/admin/variables";

const EnvironmentParams = z.strictObject({ ...RepositoryParams.shape, environment: EnvironmentName });

const list = {
  method: "get",
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(Variable),
} as const;
const set = {
  method: "put",
  description: `Runs that begin from now on have it. 409 past ${maxVariables} variables of one level, or 64 KiB of names and values of them together: no run can have more.`,
  body: VariableSet,
  // Every control character of a value is six of JSON.
  bodyLimitBytes: 512 * 1024,
  status: 200,
  response: Variable,
} as const;
const remove = { method: "delete", status: 204, errors: [] } as const;

export const listVariables = route({
  ...ofRepository,
  ...list,
  archived: "allowed",
  id: "listVariables",
  path: inRepository,
  summary: "Variables of a repository, by name",
  description: "Only its own: `POST …/pipelines/plan` shows all that a run has, with their levels.",
  params: RepositoryParams,
  errors: [],
});

export const setVariable = route({
  ...ofRepository,
  ...set,
  id: "setVariable",
  path: `${inRepository}/:name`,
  summary: "Set a variable of a repository",
  params: z.strictObject({ ...RepositoryParams.shape, ...name }),
  errors: ["conflict", "repository_archived"],
});

export const deleteVariable = route({
  ...ofRepository,
  ...remove,
  archived: "allowed",
  id: "deleteVariable",
  path: `${inRepository}/:name`,
  summary: "Delete a variable of a repository",
  params: z.strictObject({ ...RepositoryParams.shape, ...name }),
});

export const listEnvironmentVariables = route({
  ...ofRepository,
  ...list,
  archived: "allowed",
  id: "listEnvironmentVariables",
  path: inEnvironment,
  summary: "Variables of an environment, by name",
  params: EnvironmentParams,
  errors: [],
});

export const setEnvironmentVariable = route({
  ...ofEnvironment,
  ...set,
  id: "setEnvironmentVariable",
  path: `${inEnvironment}/:name`,
  summary: "Set a variable of the jobs that deploy to an environment",
  description: `${set.description} Those of all environments of a repository can be 256 KiB together.`,
  params: z.strictObject({ ...EnvironmentParams.shape, ...name }),
  errors: ["conflict", "repository_archived"],
});

export const deleteEnvironmentVariable = route({
  ...ofEnvironment,
  ...remove,
  archived: "allowed",
  id: "deleteEnvironmentVariable",
  path: `${inEnvironment}/:name`,
  summary: "Delete a variable of an environment",
  params: z.strictObject({ ...EnvironmentParams.shape, ...name }),
});

export const listOrganizationVariables = route({
  ...ofOrganization,
  ...list,
  id: "listOrganizationVariables",
  path: inOrganization,
  summary: "Variables of all repositories of an organization, by name",
  params: OrganizationParams,
  errors: [],
});

export const setOrganizationVariable = route({
  ...ofOrganization,
  ...set,
  id: "setOrganizationVariable",
  path: `${inOrganization}/:name`,
  summary: "Set a variable of all repositories of an organization",
  params: z.strictObject({ ...OrganizationParams.shape, ...name }),
  errors: ["conflict"],
});

export const deleteOrganizationVariable = route({
  ...ofOrganization,
  ...remove,
  id: "deleteOrganizationVariable",
  path: `${inOrganization}/:name`,
  summary: "Delete a variable of an organization",
  params: z.strictObject({ ...OrganizationParams.shape, ...name }),
});

export const listInstanceVariables = route({
  ...ofInstance,
  ...list,
  id: "listInstanceVariables",
  path: inInstance,
  summary: "Variables of all repositories, by name",
  errors: ["not_found"],
});

export const setInstanceVariable = route({
  ...ofInstance,
  ...set,
  id: "setInstanceVariable",
  path: `${inInstance}/:name`,
  summary: "Set a variable of all repositories",
  params: z.strictObject(name),
  errors: ["conflict"],
});

export const deleteInstanceVariable = route({
  ...ofInstance,
  ...remove,
  id: "deleteInstanceVariable",
  path: `${inInstance}/:name`,
  summary: "Delete a variable of the instance",
  params: z.strictObject(name),
});
