/** What reading reports finds; plain data, since it comes out of a thread. */
import type { ReportProblemKind } from "@forgeline/schemas/reports/manifest.ts";
import type { AnnotationLevel } from "@forgeline/schemas/reports/resource.ts";

export interface FoundAnnotation {
  step: number | null;
  level: AnnotationLevel;
  path: string | null;
  line: number | null;
  endLine: number | null;
  title: string | null;
  message: string;
  source: string | null;
}

export interface FoundProblem {
  kind: ReportProblemKind;
  /** A file of the workspace, or null. */
  path: string | null;
  step: number | null;
  message: string;
}

export interface FoundReports {
  summary: string;
  annotations: FoundAnnotation[];
  problems: FoundProblem[];
}

/** A report that cannot be read; its message is for people. */
export class ReportError extends Error {}
