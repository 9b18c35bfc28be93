/** Operations on the limits of pipelines: set by administrators of the instance, seen by whoever sees the runs of a repository. */
import { z } from "zod";
import { ownerName } from "../core/ids.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { PipelineLimits, PipelineLimitsSet } from "./resource.ts";

const administration = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;
const ofInstance = { ...administration, path: "/admin/pipeline-limits" } as const;
const ofOrganization = {
  ...administration,
  path: "/admin/organizations/:org/pipeline-limits",
  params: z.strictObject({ org: ownerName }),
} as const;
const get = { method: "get", status: 200, response: PipelineLimits } as const;
const set = { method: "put", body: PipelineLimitsSet, status: 200, response: PipelineLimits } as const;
const effect =
  "Holds for whatever is compiled, rerun or handed to a runner from then on; plans of existing runs stay.";

export const getPipelineLimits = route({
  ...ofInstance,
  ...get,
  id: "getPipelineLimits",
  summary: "Limits of pipelines on the instance",
  errors: ["not_found"],
});

export const setPipelineLimits = route({
  ...ofInstance,
  ...set,
  id: "setPipelineLimits",
  summary: "Set the limits of pipelines on the instance",
  description: `Replaces all earlier ones; what is not named has its default again. Limits of organizations stay. ${effect}`,
  errors: ["not_found"],
});

export const getOrganizationPipelineLimits = route({
  ...ofOrganization,
  ...get,
  id: "getOrganizationPipelineLimits",
  summary: "Limits of pipelines in the repositories of an organization",
  errors: [],
});

export const setOrganizationPipelineLimits = route({
  ...ofOrganization,
  ...set,
  id: "setOrganizationPipelineLimits",
  summary: "Set the limits of pipelines in the repositories of an organization",
  description: `Replaces all earlier ones; what is not named follows the instance again. They can be higher or lower than the instance's. ${effect}`,
  errors: [],
});

export const getRepositoryPipelineLimits = route({
  ...get,
  id: "getRepositoryPipelineLimits",
  path: "/repos/:owner/:repo/pipeline-limits",
  tag: "pipelines",
  summary: "Limits that hold for the pipelines of a repository",
  description: "Those of its organization where set, else those of the instance.",
  access: "repo_read",
  scope: "pipeline:read",
  params: RepositoryParams,
  archived: "allowed",
  errors: [],
});
