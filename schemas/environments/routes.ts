/** Operations on environments of a repository, and on what was deployed to them. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Pipeline } from "../pipelines/resource.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { maxEnvironments } from "./names.ts";
import { PeriodQuery } from "../run-statistics/routes.ts";
import {
  Deployment,
  DeploymentStatistics,
  Environment,
  EnvironmentName,
  EnvironmentPut,
} from "./resource.ts";

const read = { tag: "environments", access: "repo_read", scope: "pipeline:read" } as const;
const maintain = { tag: "environments", access: "repo_maintain", scope: "pipeline:write" } as const;
const path = "/repos/:owner/:repo/environments";
const one = RepositoryParams.extend({ name: EnvironmentName });

export const listEnvironments = route({
  ...read,
  id: "listEnvironments",
  method: "get",
  path,
  summary: "Environments of a repository, by name",
  params: RepositoryParams,
  query: PageQuery,
  status: 200,
  response: z.array(Environment),
  paginated: true,
  errors: [],
});

export const getEnvironment = route({
  ...read,
  id: "getEnvironment",
  method: "get",
  path: `${path}/:name`,
  summary: "Get an environment",
  params: one,
  status: 200,
  response: Environment,
  errors: [],
});

export const putEnvironment = route({
  ...maintain,
  id: "putEnvironment",
  method: "put",
  path: `${path}/:name`,
  summary: "Create an environment, or replace its protection",
  description: `Jobs that wait for it keep the protection that they found. A job that names an environment which does not exist creates it, without protection; this operation confirms such a one, and secrets that are limited to environments are given in it from then on. 409 past ${maxEnvironments} environments of a repository.`,
  params: one,
  body: EnvironmentPut,
  status: 201,
  mayExist: true,
  response: Environment,
  errors: ["repository_archived", "conflict"],
});

export const deleteEnvironment = route({
  ...maintain,
  archived: "allowed",
  id: "deleteEnvironment",
  method: "delete",
  path: `${path}/:name`,
  summary: "Delete an environment with its protection, history, variables and secrets",
  description:
    "Jobs that wait for its approval or time fail as `environment_deleted`; those that run are not touched.",
  params: one,
  status: 204,
  errors: [],
});

export const listDeployments = route({
  ...read,
  id: "listDeployments",
  method: "get",
  path: `${path}/:name/deployments`,
  summary: "Deployments to an environment, newest first",
  description: "One for each attempt of a job that names the environment.",
  params: one,
  query: PageQuery,
  status: 200,
  response: z.array(Deployment),
  paginated: true,
  errors: [],
});

export const getDeploymentStatistics = route({
  ...read,
  id: "getDeploymentStatistics",
  method: "get",
  path: `${path}/:name/statistics`,
  summary: "Statistics of the deployments to an environment",
  description:
    "How often deployments succeed, how many fail, how long it takes from a commit to its deployment, and how long to recover from a failure.",
  params: one,
  query: PeriodQuery,
  status: 200,
  response: DeploymentStatistics,
  errors: [],
});

export const rollBackDeployment = route({
  ...read,
  access: "repo_write",
  scope: "pipeline:write",
  id: "rollBackDeployment",
  method: "post",
  path: `${path}/:name/deployments/:id/rollback`,
  summary: "Deploy again what an earlier deployment deployed",
  description:
    "Reruns its job in its run: the same commit, file, inputs and variables, and secrets as they are now. The environment's protection applies again. Returns 409 for a deployment that did not succeed, and while its run is open.",
  params: one.extend({ id: idOf("depl") }),
  status: 202,
  response: Pipeline,
  errors: ["conflict", "repository_archived"],
});
