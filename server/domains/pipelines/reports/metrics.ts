/** Metrics of reports that jobs leave. */
import { createCounter, createGauge, createHistogram } from "../../../platform/declared-metrics.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { FoundReports } from "./parse/found.ts";

export interface ReportMetrics {
  /** The reports of a job were read in this time. */
  count(found: FoundReports, seconds: number): void;
  removed: { inc(labels: { why: "time" | "room" }, jobs: number): void };
}

export function createReportMetrics(registry: Metrics, countWaiting: () => Promise<number>): ReportMetrics {
  const read = createCounter(registry, "forgeline_job_reports_read_total");
  const problems = createCounter(registry, "forgeline_job_report_problems_total");
  const took = createHistogram(registry, "forgeline_job_reports_read_seconds");
  createGauge(registry, "forgeline_job_reports_waiting", async (gauge) => gauge.set(await countWaiting()));
  return {
    removed: createCounter(registry, "forgeline_job_reports_removed_total"),
    count(found, seconds) {
      read.inc();
      problems.inc(found.problems.length);
      took.observe(seconds);
    },
  };
}
