/** Metrics of the limiter. */
import type { Counter } from "prom-client";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { Metrics } from "../../../platform/metrics.ts";

export interface RateMetrics {
  reservations: Counter<"category">;
  refused: Counter<"category">;
  uncounted: Counter<"category">;
}

export function createRateMetrics(registry: Metrics): RateMetrics {
  return {
    reservations: createCounter(registry, "forgeline_rate_limit_reservations_total"),
    refused: createCounter(registry, "forgeline_rate_limit_refused_total"),
    uncounted: createCounter(registry, "forgeline_rate_limit_uncounted_total"),
  };
}
