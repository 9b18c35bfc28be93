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

export interface FoundTest {
  /** What it belongs to: its class or its suite; may be empty. */
  suite: string;
  name: string;
  status: "passed" | "failed" | "skipped";
  durationMs: number | null;
  /** Of one that failed or was skipped. */
  message: string | null;
  details: string | null;
}

/** Lines of one file. */
export interface FoundCoverage {
  path: string;
  covered: number;
  total: number;
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
  tests: FoundTest[];
  coverage: FoundCoverage[];
  problems: FoundProblem[];
}

/** Before anything is read. */
export function nothingFound(): FoundReports {
  return { summary: "", annotations: [], tests: [], coverage: [], problems: [] };
}

/** A report that cannot be read; its message is for people. */
export class ReportError extends Error {}
