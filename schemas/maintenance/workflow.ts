/** The contract of the workflow that looks after repositories, round by round. Only ids travel. */
import { z } from "zod";

export const maintenanceWorkflowName = "maintenanceRound";

/** One schedule for each task queue, so that installations that share a namespace have one each. */
export function maintenanceScheduleId(taskQueue: string): string {
  return `maintenance:${taskQueue}`;
}

export const FindDueRepositories = z.object({ limit: z.number().int().min(1).max(100) });
export const RepositoryInput = z.object({ repositoryId: z.string() });
export type RepositoryInput = z.infer<typeof RepositoryInput>;
export const MaintenanceGivenUp = z.object({ repositoryId: z.string(), problem: z.string() });
