/** Joins what follows the ends of runs. */
import type { Config } from "../../../config/config.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Pipelines } from "../../pipelines/domain.ts";
import type { Follower } from "../events/follower-runner.ts";
import { createTraceMetrics } from "./metrics.ts";
import { createRunFollower } from "./run-follower.ts";
import { createTraceSender } from "./sender.ts";

export function createRunFollowing(deps: {
  config: Config;
  platform: Platform;
  pipelines: Pipelines;
}): Follower {
  const { config, platform, pipelines } = deps;
  const { db, logger } = platform;
  const traces = createTraceSender({
    db,
    logger,
    runs: pipelines.tracedRuns,
    settings: config.traces,
    metrics: createTraceMetrics(platform.metrics, db),
    firstWaitMs: config.periods.webhookRetryMs,
  });
  return createRunFollower({ db, logger, statistics: pipelines.runStatistics, traces });
}
