/** Made by `node scripts/generate-rows.ts` from the statements of reports.store.ts; do not edit. */
import type { FoundProblem } from "./parse/found.ts";

export interface ReportsRows {
  record: {
    attempt_id: string;
  };
  takeWaiting: {
    attempt_id: string;
    repository_id: string;
    pipeline_id: string;
    tries: number;
    artifact_id: string | null;
    size_bytes: number | null;
    parts: string[] | null;
  };
  postpone: never;
  finish: {
    attempt_id: string;
  };
  addAnnotations: never;
  findRun: {
    id: string;
  };
  listOfRun: {
    job_id: string;
    key: string;
    name: string;
    matrix: Record<string, string> | null;
    attempt: number;
    created_at: Date;
    read_at: Date | null;
    summary: string;
    problems: FoundProblem[];
    passed: number;
    failed: number;
    skipped: number;
    tests_ms: number;
    lines_covered: number;
    lines_total: number;
    step_names: string[];
    annotations: number;
  };
  countOfRun: {
    total: number;
  };
  listAnnotations: {
    job_id: string;
    key: string;
    name: string;
    matrix: Record<string, string> | null;
    step_name: string | null;
    level: "error" | "notice" | "warning";
    path: string | null;
    line: number | null;
    end_line: number | null;
    title: string | null;
    message: string;
    source: string | null;
  };
  countAnnotations: {
    total: number;
  };
  removeOld: {
    attempt_id: string;
  };
  addProblem: never;
  removeSurplus: {
    attempt_id: string;
  };
  countWaiting: {
    waiting: number;
  };
}
