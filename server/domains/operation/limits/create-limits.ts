/** Rate limits, put together for the container. */
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { Periods } from "../../../config/periods.ts";
import type { RateLimitTable } from "../../../config/rate-limits.ts";
import type { OpenLogLimits } from "../../../config/open-log.ts";
import { bodyLimits } from "../../../config/request.ts";
import { createBodyRoom } from "../../../platform/http/body-room.ts";
import { createCustomLimits } from "./custom.ts";
import { createGitOperations } from "./git-operations.ts";
import { createRateMetrics } from "./metrics.ts";
import { createRateLimits } from "./service.ts";
import { createOpenLogs } from "../../pipelines/logs/open-logs.ts";
import { createStandings } from "./standings.ts";

export interface LimitsDeps {
  db: Database;
  limits: RateLimitTable;
  openLogs: OpenLogLimits;
  registry: Metrics;
  logger: Logger;
  periods: Periods;
}

/** By the names that they have in the container. */
export function createLimits({ registry, openLogs, ...deps }: LimitsDeps) {
  const { db, limits } = deps;
  const rateLimits = createRateLimits({ ...deps, metrics: createRateMetrics(registry) });
  return {
    rateLimits,
    openLogs: createOpenLogs(openLogs, registry),
    bodies: createBodyRoom(bodyLimits, registry),
    gitOperations: createGitOperations(db),
    standings: createStandings({ db, limits, rateLimits }),
    customLimits: createCustomLimits({ db, limits }),
  };
}
