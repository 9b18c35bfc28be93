/** Sums of runs as REST shows them. Pure. */
import type {
  JobTimes,
  Percentiles,
  PipelineStatistics,
  RepositoryRuns,
  RunSums,
  StepTimes,
} from "@forgeline/schemas/run-statistics/resource.ts";
import type { JobTimesRow, StepTimesRow } from "./job-times.store.ts";
import type { Period } from "./period.ts";
import type { FileRow, RepositoryRow, Sums, TotalRow } from "./run-figures.store.ts";

const nothing: TotalRow = {
  runs: 0,
  succeeded: 0,
  failed: 0,
  errors: 0,
  cancelled: 0,
  skipped: 0,
  duration_ms: null,
  queue_ms: null,
  runner_ms: 0,
  attempts: 0,
};

/** To the millisecond. */
function seconds(milliseconds: number): number {
  return Math.round(Math.max(0, milliseconds)) / 1000;
}

/** To the hundredth. */
function minutes(milliseconds: number): number {
  return Math.round(milliseconds / 600) / 100;
}

function presentPercentiles(found: readonly number[] | null): Percentiles | null {
  const [p50, p90] = found ?? [];
  return p50 === undefined || p90 === undefined ? null : { p50: seconds(p50), p90: seconds(p90) };
}

function presentSums(row: Omit<FileRow, "file">): RunSums {
  const { runs, succeeded, failed, errors, cancelled, skipped, attempts } = row;
  const judged = succeeded + failed + errors;
  return {
    runs,
    succeeded,
    failed,
    errors,
    cancelled,
    skipped,
    success_rate: judged === 0 ? null : succeeded / judged,
    runner_minutes: minutes(row.runner_ms),
    attempts,
  };
}

/** Days without a run are shown too. */
export function presentStatistics(
  { total = nothing, days, files }: Sums,
  period: Period,
): PipelineStatistics {
  const byDay = new Map(days.map((row) => [row.day, row]));
  return {
    ...presentPeriod(period),
    ...presentSums(total),
    duration: presentPercentiles(total.duration_ms),
    queue_time: presentPercentiles(total.queue_ms),
    by_day: period.all.map((day) => {
      const row = byDay.get(day) ?? nothing;
      return { day, ...presentSums(row), duration: presentPercentiles(row.duration_ms) };
    }),
    by_pipeline: files.map((row) => ({ pipeline: row.file, ...presentSums(row) })),
  };
}

/** As every answer names it. */
export function presentPeriod({ since, until, days }: Period) {
  return { since, until, days };
}

export function presentRepository(row: RepositoryRow): RepositoryRuns {
  return { repository_id: row.repository_id, full_name: row.full_name, ...presentSums(row) };
}

const none: Percentiles = { p50: 0, p90: 0 };

export function presentJobTimes(row: JobTimesRow): JobTimes {
  const { file: pipeline, job, count, failed } = row;
  return {
    pipeline,
    job,
    count,
    failed,
    duration: presentPercentiles(row.duration_ms) ?? none,
    queue_time: presentPercentiles(row.queue_ms) ?? none,
    runner_minutes: minutes(row.runner_ms),
  };
}

export function presentStepTimes(row: StepTimesRow): StepTimes {
  const { file: pipeline, job, step, count, failed } = row;
  return {
    pipeline,
    job,
    step,
    count,
    failed,
    duration: presentPercentiles(row.duration_ms) ?? none,
  };
}
