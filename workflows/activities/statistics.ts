/** Activities of the statistics of repositories. Each may run twice. */
import { StatisticsGivenUp, StatisticsInput } from "@forgeline/schemas/statistics/workflow.ts";
import type { StatisticsComputation } from "@forgeline/server/domains/hosting/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type StatisticsActivities = ReturnType<typeof createStatisticsActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 5_000;

export function createStatisticsActivities(statistics: StatisticsComputation) {
  return {
    computeStatistics: activity(StatisticsInput, ({ repositoryId }) =>
      whileBeating({ everyMs: heartbeatMs, details: { repositoryId } }, (signal) =>
        statistics.compute(repositoryId, signal),
      ),
    ),
    giveUpStatistics: activity(StatisticsGivenUp, ({ repositoryId, problem }) =>
      statistics.giveUp(repositoryId, problem),
    ),
  };
}
