/** Operations on what jobs of a run report: whoever can read the run can read it. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Annotation, annotationLevels, JobReports } from "./resource.ts";

const read = { tag: "pipelines", access: "repo_read", scope: "pipeline:read" } as const;
const params = RepositoryParams.extend({ id: z.string().describe("Id or number of the run.") });
const path = "/repos/:owner/:repo/pipelines/:id";

export const listJobReports = route({
  ...read,
  id: "listJobReports",
  method: "get",
  path: `${path}/reports`,
  summary: "What the jobs of a run report, in their order: summaries, and what could not be read",
  params,
  query: PageQuery,
  status: 200,
  response: z.array(JobReports),
  paginated: true,
  errors: [],
});

export const AnnotationQuery = PageQuery.extend({
  level: z.enum(annotationLevels).optional().describe("Only those of this level."),
  path: z.string().max(1_024).optional().describe("Only those of this file."),
});

export const listAnnotations = route({
  ...read,
  id: "listAnnotations",
  method: "get",
  path: `${path}/annotations`,
  summary: "Annotations of a run: errors first, then warnings and notices",
  params,
  query: AnnotationQuery,
  status: 200,
  response: z.array(Annotation),
  paginated: true,
  errors: [],
});
