/** The contract of the workflow that computes the statistics of one repository. Only ids travel. */
import { z } from "zod";

export const statisticsWorkflowName = "repositoryStatistics";

/** One at a time for each repository. */
export function statisticsWorkflowId(repositoryId: string): string {
  return `statistics:${repositoryId}`;
}

export const StatisticsInput = z.object({ repositoryId: z.string() });
export type StatisticsInput = z.infer<typeof StatisticsInput>;
export const StatisticsGivenUp = z.object({ repositoryId: z.string(), problem: z.string() });
