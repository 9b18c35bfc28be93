/** What jobs report, as REST shows it. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { reportProblemKinds } from "./manifest.ts";

export const annotationLevels = ["error", "warning", "notice"] as const;
export type AnnotationLevel = (typeof annotationLevels)[number];

export const ReportingJob = z
  .object({
    id: idOf("job"),
    key: z.string().describe("Its id in the file."),
    name: z.string(),
    label: z.string().describe("Its key; of a combination of a matrix, with its values."),
  })
  .meta({ id: "ReportingJob" });

export const LineCoverage = z
  .object({
    lines_covered: z.int(),
    lines_total: z.int().describe("Lines that could be covered."),
    percent: z.number().describe("With one digit, rounded down."),
  })
  .meta({ id: "LineCoverage" });
export type LineCoverage = z.infer<typeof LineCoverage>;

export const JobReports = z
  .object({
    job: ReportingJob.describe("The job that reported."),
    attempt: z.int().describe("Of the job: the newest that reported anything."),
    state: z.enum(["waiting", "read"]).describe("waiting: the reports are there, but not read yet."),
    summary: z.string().nullable().describe("Markdown that steps of the job wrote to `$CI_SUMMARY`."),
    annotations_count: z.int(),
    tests: z
      .object({ passed: z.int(), failed: z.int(), skipped: z.int(), duration_ms: z.int() })
      .nullable()
      .describe("How many results of tests there are; null: none."),
    coverage: LineCoverage.nullable().describe("null: none."),
    problems: z
      .array(
        z.object({
          kind: z.enum(reportProblemKinds),
          path: z.string().nullable().describe("Of the report in the workspace; null for what a step wrote."),
          step: z.string().nullable().describe("Name of the step that wrote it; null for a report."),
          message: z.string(),
        }),
      )
      .describe("Reports that could not be read, and why."),
    created_at: timestamp.describe("When the job ended."),
    updated_at: timestamp.describe("When the reports were read; before that, when the job ended."),
  })
  .meta({ id: "JobReports" });
export type JobReports = z.infer<typeof JobReports>;

export const Annotation = z
  .object({
    job: ReportingJob,
    step: z.string().nullable().describe("Name of the step that wrote it; null for one out of a report."),
    level: z.enum(annotationLevels),
    path: z.string().nullable().describe("A file in the repository."),
    line: z.int().nullable().describe("From 1."),
    end_line: z.int().nullable(),
    title: z.string().nullable(),
    message: z.string(),
    source: z.string().nullable().describe("Tool and rule, where it is out of a report."),
  })
  .meta({ id: "Annotation" });
export type Annotation = z.infer<typeof Annotation>;

export const CommitAnnotation = Annotation.extend({
  pipeline: z.object({ id: idOf("pipe"), number: z.int() }).describe("The run that reported it."),
}).meta({ id: "CommitAnnotation" });
export type CommitAnnotation = z.infer<typeof CommitAnnotation>;
