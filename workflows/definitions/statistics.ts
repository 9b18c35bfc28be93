/**
 * Computes the statistics of one repository until nothing was pushed meanwhile. Begun after a push, by who finds the mark
 * that the push left; what is left over here is found again by that mark.
 */
import { proxyActivities, proxyLocalActivities, rootCause } from "@temporalio/workflow";
import type { StatisticsActivities } from "../activities/statistics.ts";
import { longActivity, shortActivity } from "./profiles.ts";

const { giveUpStatistics } = proxyLocalActivities<StatisticsActivities>(shortActivity);
const { computeStatistics } = proxyActivities<StatisticsActivities>(longActivity);

/** Keeps the history short; the mark begins the next. */
const maxRounds = 20;

export async function repositoryStatistics({ repositoryId }: { repositoryId: string }): Promise<void> {
  try {
    for (let round = 0; round < maxRounds; round += 1) {
      const { again } = await computeStatistics({ repositoryId });
      if (!again) return;
    }
  } catch (error) {
    await giveUpStatistics({ repositoryId, problem: rootCause(error) ?? "unknown" });
  }
}
