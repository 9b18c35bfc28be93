/** Operations on runs. Reading: also anonymously on public repositories; changing: Write on the repository. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { givenTime } from "../core/time.ts";
import { RunSource } from "./source.ts";
import { Status } from "./status.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import {
  Pipeline,
  PipelineCancel,
  PipelineEventRecord,
  PipelineRerun,
  PipelineSummary,
  PipelineTrigger,
  RunJob,
} from "./resource.ts";
import { LintResult, PipelineLint, PipelinePlan, PlanResult } from "./plan.ts";

const read = { tag: "pipelines", access: "repo_read", scope: "pipeline:read" } as const;
const write = { tag: "pipelines", access: "repo_write", scope: "pipeline:write" } as const;
const runParams = RepositoryParams.extend({ id: z.string().describe("Id or number.") });
const path = "/repos/:owner/:repo/pipelines";

export const triggerPipeline = route({
  ...write,
  jobs: "allowed",
  id: "triggerPipeline",
  method: "post",
  path,
  summary: "Run a pipeline",
  description:
    "Its event is `manual` for a session of the web interface, `api` for a token. Started with the token of a job, it belongs to the run of that job, and is bounded like what `trigger` starts: `conflict` says which bound.",
  params: RepositoryParams,
  body: PipelineTrigger,
  bodyLimitBytes: largeBodyBytes,
  status: 201,
  response: Pipeline,
  errors: ["conflict", "repository_archived"],
});

export const PipelineListQuery = PageQuery.extend({
  status: Status.optional(),
  ref: z.string().optional().describe("Branch, tag or full ref name."),
  sha: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .optional()
    .describe("Full id of the commit."),
  event: RunSource.optional(),
  actor: z.string().optional().describe("User name of the user who started it."),
  pipeline: z.string().optional().describe("File name."),
  since: givenTime.optional().describe("Created at or after."),
});
export type PipelineListQuery = z.infer<typeof PipelineListQuery>;

export const listPipelines = route({
  ...read,
  id: "listPipelines",
  method: "get",
  path,
  summary: "Runs of a repository, newest first",
  params: RepositoryParams,
  query: PipelineListQuery,
  status: 200,
  response: z.array(PipelineSummary),
  paginated: true,
  errors: [],
});

export const getPipeline = route({
  ...read,
  id: "getPipeline",
  method: "get",
  path: `${path}/:id`,
  summary: "One run with stages, jobs, attempts and steps",
  params: runParams,
  status: 200,
  response: Pipeline,
  errors: [],
});

export const listPipelineJobs = route({
  ...read,
  id: "listPipelineJobs",
  method: "get",
  path: `${path}/:id/jobs`,
  summary: "Jobs of a run with attempts and steps, in file order",
  params: runParams,
  status: 200,
  response: z.array(RunJob),
  errors: [],
});

export const getPipelineJob = route({
  ...read,
  id: "getPipelineJob",
  method: "get",
  path: `${path}/:id/jobs/:job`,
  summary: "One job of a run, with all its outputs and warnings",
  description:
    "Answers about whole runs leave out outputs of more than 2 KiB, and all but five warnings of an attempt.",
  params: runParams.extend({ job: idOf("job") }),
  status: 200,
  response: RunJob,
  errors: [],
});

export const listPipelineEvents = route({
  ...read,
  id: "listPipelineEvents",
  method: "get",
  path: `${path}/:id/events`,
  summary: "Every change of a status in a run, oldest first",
  params: runParams,
  query: PageQuery,
  status: 200,
  response: z.array(PipelineEventRecord),
  paginated: true,
  errors: [],
});

export const cancelPipeline = route({
  ...write,
  archived: "allowed",
  id: "cancelPipeline",
  method: "post",
  path: `${path}/:id/cancel`,
  summary: "Cancel a run",
  description:
    "Queued jobs end immediately; running jobs are told to stop. Returns 409 if the run has finished.",
  params: runParams,
  body: PipelineCancel,
  status: 202,
  response: Pipeline,
  errors: ["conflict"],
});

export const rerunPipeline = route({
  ...write,
  id: "rerunPipeline",
  method: "post",
  path: `${path}/:id/rerun`,
  summary: "Rerun parts of a finished run",
  description: "Reopens the run with new attempts in addition to the old ones; earlier successes are kept.",
  params: runParams,
  body: PipelineRerun,
  status: 202,
  response: Pipeline,
  errors: ["conflict", "repository_archived"],
});

export const declareJobLost = route({
  ...write,
  archived: "allowed",
  id: "declareJobLost",
  method: "post",
  path: `${path}/:id/jobs/:job/lost`,
  summary: "Declare a job lost whose runner is silent",
  description:
    "Ends the attempt as `error/runner_lost` without waiting any longer: for jobs with `rerun_if_lost: false`, which otherwise wait for their runner until their time limit. What the runner still says of it is refused, and its containers are removed when it returns. Returns 409 unless the attempt is `unreachable`.",
  params: runParams.extend({ job: idOf("job") }),
  status: 202,
  response: RunJob,
  errors: ["conflict"],
});

export const lintPipeline = route({
  ...write,
  archived: "allowed",
  id: "lintPipeline",
  method: "post",
  path: `${path}/lint`,
  summary: "Check the text of a pipeline file",
  params: RepositoryParams,
  body: PipelineLint,
  bodyLimitBytes: largeBodyBytes,
  status: 200,
  response: LintResult,
  errors: [],
});

export const planPipeline = route({
  ...write,
  archived: "allowed",
  id: "planPipeline",
  method: "post",
  path: `${path}/plan`,
  summary: "Preview what an event would run",
  params: RepositoryParams,
  body: PipelinePlan,
  bodyLimitBytes: largeBodyBytes,
  status: 200,
  response: PlanResult,
  errors: [],
});

export const PipelineExportQuery = z.strictObject({
  since: givenTime.optional().describe("Only runs that ended then or later."),
  until: givenTime.optional().describe("Only runs that ended before."),
});
export type PipelineExportQuery = z.output<typeof PipelineExportQuery>;

export const exportPipelines = route({
  tag: "pipelines",
  access: "repo_read",
  scope: "pipeline:read",
  id: "exportPipelines",
  method: "get",
  path: "/repos/:owner/:repo/pipelines/export",
  summary: "Runs that have ended, as JSON lines, the one that ended first at the beginning",
  description:
    "One line for each run: the record of the run, with its stages, jobs, attempts, steps, and what people decided at its `approvals`, but without `parent` and `children`. Sent as it is read, so it may be of any length; " +
    "it counts as an open log. To go on later, ask with `since` as the `finished_at` of the last line: a run may come twice, and one that " +
    "was run again comes again with its new end.",
  params: RepositoryParams,
  query: PipelineExportQuery,
  status: 200,
  alternatives: ["application/x-ndjson"],
  errors: [],
});

export const exportOrganizationPipelines = route({
  tag: "pipelines",
  access: "org_member",
  scope: "pipeline:read",
  id: "exportOrganizationPipelines",
  method: "get",
  path: "/orgs/:org/pipelines/export",
  summary:
    "Runs of an organization's repositories that have ended, as JSON lines, the one that ended first at the beginning",
  description:
    "For members of the organization: the runs of those repositories that the caller can read. A line is that of a repository's export with " +
    "`repository`, the `OWNER/NAME`, before the rest. Sent as it is read, so it may be of any length; it counts as an open log.",
  params: OrganizationParams,
  query: PipelineExportQuery,
  status: 200,
  alternatives: ["application/x-ndjson"],
  errors: [],
});
