/** Operations on what jobs of a run report: whoever can read the run can read it. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Annotation, annotationLevels, CommitAnnotation, JobReports } from "./resource.ts";

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

export const CommitAnnotationQuery = AnnotationQuery.extend({
  ref: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("A branch, a tag or a commit; default: the default branch."),
});

export const listCommitAnnotations = route({
  ...read,
  id: "listCommitAnnotations",
  method: "get",
  path: "/repos/:owner/:repo/annotations",
  summary: "Annotations of a commit: errors first, then warnings and notices",
  description: "Of each pipeline file, those of the newest run of the commit that has reported anything.",
  params: RepositoryParams,
  query: CommitAnnotationQuery,
  status: 200,
  response: z.array(CommitAnnotation),
  paginated: true,
  errors: [],
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
