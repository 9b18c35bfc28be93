/** What jobs report, as REST shows it. Pure. */
import { combinationName } from "@forgeline/compiler/matrix.ts";
import type { FileCoverage, RunCoverage } from "@forgeline/schemas/coverage/routes.ts";
import type {
  Annotation,
  CommitAnnotation,
  JobReports,
  LineCoverage,
} from "@forgeline/schemas/reports/resource.ts";
import type { RunTest, Test, TestResult } from "@forgeline/schemas/tests/resource.ts";
import type { CommitAnnotationRow } from "./commit-annotations.store.ts";
import type { AnnotationRow, ReportsRow } from "./reports.store.ts";
import type { CoverageFileRow, CoverageRunRow } from "./coverage.store.ts";
import type { RunTestRow, TestResultRow, TestRow } from "./tests.store.ts";

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
    tests: presentCounts(row),
    coverage: row.lines_total === 0 ? null : presentLines(row),
    problems: row.problems.map(({ step, ...problem }) => ({
      ...problem,
      step: step === null ? null : (row.step_names[step] ?? null),
    })),
    created_at: row.created_at.toISOString(),
    updated_at: (row.read_at ?? row.created_at).toISOString(),
  };
}

function presentCounts({ passed, failed, skipped, tests_ms }: ReportsRow): JobReports["tests"] {
  if (passed + failed + skipped === 0) return null;
  return { passed, failed, skipped, duration_ms: tests_ms };
}

function presentLines({ lines_covered, lines_total }: Lines): LineCoverage {
  return { lines_covered, lines_total, percent: percentOf({ lines_covered, lines_total }) };
}

interface Lines {
  lines_covered: number;
  lines_total: number;
}

/** Rounded down: 100 means all. */
export function percentOf({ lines_covered: covered, lines_total: total }: Lines): number {
  return Math.floor((1000 * covered) / total) / 10;
}

export function presentFileCoverage(row: CoverageFileRow): FileCoverage {
  return { path: row.path, job: presentJob(row), ...presentLines(row) };
}

export function presentRunCoverage(row: CoverageRunRow): RunCoverage {
  const pipeline = { id: row.id, number: row.number };
  return { pipeline, sha: row.sha, ref: row.ref, at: row.at.toISOString(), ...presentLines(row) };
}

export function presentAnnotation(row: AnnotationRow): Annotation {
  const { level, path, line, end_line, title, message, source } = row;
  return { job: presentJob(row), step: row.step_name, level, path, line, end_line, title, message, source };
}

export function presentCommitAnnotation(row: CommitAnnotationRow): CommitAnnotation {
  return { ...presentAnnotation(row), pipeline: { id: row.pipeline_id, number: row.pipeline_number } };
}

export function presentRunTest(row: RunTestRow): RunTest {
  const { test_id, suite, test_name, status, duration_ms, message, details, flaky, quarantined } = row;
  return {
    test: { id: test_id, suite, name: test_name },
    job: presentJob(row),
    status,
    duration_ms,
    message,
    details,
    flaky,
    quarantined,
  };
}

export function presentTest(row: TestRow): Test {
  return {
    id: row.id,
    suite: row.suite,
    name: row.name,
    results_count: row.results,
    failures_count: row.failures,
    typical_duration_ms: row.typical_ms,
    last_seen_at: row.seen_at.toISOString(),
    flaky: row.flaky_at && { at: row.flaky_at.toISOString(), sha: row.flaky_sha ?? "" },
    quarantine: row.quarantined_at && {
      at: row.quarantined_at.toISOString(),
      by: row.quarantined_by,
      reason: row.quarantine_reason,
    },
  };
}

export function presentTestResult(row: TestResultRow): TestResult {
  const { status, duration_ms, message, details, sha, ref, attempt } = row;
  return {
    pipeline: { id: row.pipeline_id, number: row.number },
    job: presentJob(row),
    attempt,
    sha,
    ref,
    status,
    duration_ms,
    message,
    details,
    at: row.created_at.toISOString(),
  };
}
