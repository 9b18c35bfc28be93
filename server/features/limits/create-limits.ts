/** Rate limits, put together for the container. */
import type { Database } from "../../db/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { RateLimitTable } from "../../platform/rate-limits.ts";
import { createCustomLimits } from "./custom.ts";
import { createGitOperations } from "./git-operations.ts";
import { createRateMetrics } from "./metrics.ts";
import { createRateLimits } from "./service.ts";
import { createStandings } from "./standings.ts";

export interface LimitsDeps {
  db: Database;
  limits: RateLimitTable;
  registry: Metrics;
  logger: Logger;
}

/** By the names that they have in the container. */
export function createLimits({ db, limits, registry, logger }: LimitsDeps) {
  const rateLimits = createRateLimits({ db, limits, metrics: createRateMetrics(registry), logger });
  return {
    rateLimits,
    gitOperations: createGitOperations(db),
    standings: createStandings({ db, limits, rateLimits }),
    customLimits: createCustomLimits({ db, limits }),
  };
}
