/** What the limiter does, as metrics. */
import { Counter, type Metrics } from "../../../platform/metrics.ts";

export interface RateMetrics {
  reservations: Counter<"category">;
  refused: Counter<"category">;
  uncounted: Counter<"category">;
}

export function createRateMetrics(registry: Metrics): RateMetrics {
  const counter = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ["category"] as const, registers: [registry] });
  return {
    reservations: counter(
      "forgeline_rate_limit_reservations_total",
      "Blocks of requests reserved in the database.",
    ),
    refused: counter("forgeline_rate_limit_refused_total", "Requests refused with 429."),
    uncounted: counter(
      "forgeline_rate_limit_uncounted_total",
      "Requests let through uncounted because the database gave no answer.",
    ),
  };
}
