/** Activities of the statistics of repositories. Each may run twice. */
import { Context } from "@temporalio/activity";
import { StatisticsGivenUp, StatisticsInput } from "@forgeline/schemas/statistics/workflow.ts";
import type { StatisticsComputation } from "@forgeline/server/domains/hosting/domain.ts";
import { activity } from "./activity.ts";

export type StatisticsActivities = ReturnType<typeof createStatisticsActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 5_000;

export function createStatisticsActivities(statistics: StatisticsComputation) {
  return {
    computeStatistics: activity(StatisticsInput, async ({ repositoryId }) => {
      const context = Context.current();
      // Tells administrators what the step is about, also while it waits for its next attempt.
      const beat = () => context.heartbeat({ repositoryId });
      beat();
      const heart = setInterval(beat, heartbeatMs);
      try {
        return await statistics.compute(repositoryId, context.cancellationSignal);
      } finally {
        clearInterval(heart);
      }
    }),
    giveUpStatistics: activity(StatisticsGivenUp, ({ repositoryId, problem }) =>
      statistics.giveUp(repositoryId, problem),
    ),
  };
}
