/** Operations on the coverage that jobs report: whoever can read runs can read it. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { timestamp } from "../core/time.ts";
import { LineCoverage, ReportingJob } from "../reports/resource.ts";
import { RepositoryParams } from "../repositories/routes.ts";

const read = { tag: "pipelines", access: "repo_read", scope: "pipeline:read" } as const;

export const FileCoverage = LineCoverage.extend({
  path: z.string().describe("As the report names it."),
  job: ReportingJob,
}).meta({ id: "FileCoverage" });
export type FileCoverage = z.infer<typeof FileCoverage>;

export const RunCoverage = LineCoverage.extend({
  pipeline: z.object({ id: idOf("pipe"), number: z.int() }),
  sha: z.string(),
  ref: z.string(),
  at: timestamp,
}).meta({ id: "RunCoverage" });
export type RunCoverage = z.infer<typeof RunCoverage>;

export const listRunCoverage = route({
  ...read,
  id: "listRunCoverage",
  method: "get",
  path: "/repos/:owner/:repo/pipelines/:id/coverage",
  summary: "Coverage of files in a run: those with the most lines that are not covered first",
  params: RepositoryParams.extend({ id: z.string().describe("Id or number of the run.") }),
  query: PageQuery,
  status: 200,
  response: z.array(FileCoverage),
  paginated: true,
  errors: [],
});

export const CoverageQuery = PageQuery.extend({
  branch: z.string().min(1).max(255).optional().describe("Default: the default branch."),
});

export const listCoverage = route({
  ...read,
  id: "listCoverage",
  method: "get",
  path: "/repos/:owner/:repo/coverage",
  summary: "Coverage of the runs of a branch, newest first",
  description: "Lines of all jobs of a run are added up.",
  params: RepositoryParams,
  query: CoverageQuery,
  status: 200,
  response: z.array(RunCoverage),
  paginated: true,
  errors: [],
});
