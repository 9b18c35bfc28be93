/**
 * Statistics of runs: of a repository for whoever can read its runs, of an organization for its owners, of the instance for
 * administrators.
 */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { wholeNumber } from "../core/whole-number.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { JobStatistics, PipelineStatistics, RepositoryRuns } from "./resource.ts";

const ofRepository = {
  tag: "pipelines",
  access: "repo_read",
  scope: "pipeline:read",
  method: "get",
  params: RepositoryParams,
  status: 200,
  errors: [],
} as const;
const ofOrganization = {
  tag: "pipelines",
  access: "org_owner",
  scope: "org:admin",
  method: "get",
  params: OrganizationParams,
  status: 200,
  errors: [],
} as const;
const ofInstance = {
  tag: "administration",
  access: "instance_admin",
  scope: "org:admin",
  method: "get",
  status: 200,
  errors: [],
} as const;

const counted =
  "A run appears within seconds after its end. Runs of repositories that were deleted are not counted.";

const period = {
  days: wholeNumber({ min: 1, max: 90 }).prefault(30).describe("How many days, today included."),
};
export const PeriodQuery = z.strictObject(period);
export type PeriodQuery = z.output<typeof PeriodQuery>;

export const RunStatisticsQuery = z.strictObject({
  ...period,
  pipeline: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe("Only runs of this file, such as `.forgeline.yml`."),
  branch: z.string().min(1).max(255).optional().describe("Only runs of this branch."),
});
export type RunStatisticsQuery = z.output<typeof RunStatisticsQuery>;

export const getPipelineStatistics = route({
  ...ofRepository,
  id: "getPipelineStatistics",
  path: "/repos/:owner/:repo/pipelines/statistics",
  summary:
    "Statistics of the runs of a repository: success, duration, time in the queue, and time on runners",
  description: counted,
  query: RunStatisticsQuery,
  response: PipelineStatistics,
});

export const getJobStatistics = route({
  ...ofRepository,
  id: "getJobStatistics",
  path: "/repos/:owner/:repo/pipelines/statistics/jobs",
  summary: "The slowest jobs and steps of a repository's last runs",
  description: "Each attempt counts by itself.",
  query: RunStatisticsQuery,
  response: JobStatistics,
});

export const getOrganizationPipelineStatistics = route({
  ...ofOrganization,
  id: "getOrganizationPipelineStatistics",
  path: "/orgs/:org/pipelines/statistics",
  summary: "Statistics of the runs of all repositories of an organization",
  description: counted,
  query: PeriodQuery,
  response: PipelineStatistics,
});

const RepositoriesQuery = z.strictObject({ ...PageQuery.shape, ...period });
export type RepositoriesQuery = z.output<typeof RepositoriesQuery>;

export const listOrganizationRunnerTime = route({
  ...ofOrganization,
  id: "listOrganizationRunnerTime",
  path: "/orgs/:org/pipelines/statistics/repositories",
  summary: "Time on runners by repository of an organization, most first",
  query: RepositoriesQuery,
  response: z.array(RepositoryRuns),
  paginated: true,
});

export const getInstancePipelineStatistics = route({
  ...ofInstance,
  id: "getInstancePipelineStatistics",
  path: "/admin/pipelines/statistics",
  summary: "Statistics of all runs of the instance",
  description: counted,
  query: PeriodQuery,
  response: PipelineStatistics,
});

export const listInstanceRunnerTime = route({
  ...ofInstance,
  id: "listInstanceRunnerTime",
  path: "/admin/pipelines/statistics/repositories",
  summary: "Time on runners by repository of the instance, most first",
  query: RepositoriesQuery,
  response: z.array(RepositoryRuns),
  paginated: true,
});
