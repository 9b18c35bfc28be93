/** What jobs report, as REST shows it. Pure. */
import { combinationName } from "@forgeline/compiler/matrix.ts";
import type { Annotation, JobReports } from "@forgeline/schemas/reports/resource.ts";
import type { AnnotationRow, ReportsRow } from "./reports.store.ts";

type JobColumns = Pick<ReportsRow, "job_id" | "key" | "name" | "matrix">;

export function presentJob({ job_id: id, key, name, matrix }: JobColumns): JobReports["job"] {
  return { id, key, name, label: combinationName(key, matrix) };
}

export function presentReports(row: ReportsRow): JobReports {
  return {
    job: presentJob(row),
    attempt: row.attempt,
    state: row.read_at ? "read" : "waiting",
    summary: row.summary === "" ? null : row.summary,
    annotations_count: row.annotations,
    problems: row.problems.map(({ step, ...problem }) => ({
      ...problem,
      step: step === null ? null : (row.step_names[step] ?? null),
    })),
    created_at: row.created_at.toISOString(),
    updated_at: (row.read_at ?? row.created_at).toISOString(),
  };
}

export function presentAnnotation(row: AnnotationRow): Annotation {
  const { level, path, line, end_line, title, message, source } = row;
  return { job: presentJob(row), step: row.step_name, level, path, line, end_line, title, message, source };
}
