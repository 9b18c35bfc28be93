/** The workflow of one sync of a fork, and the schedule that begins it. */
import { z } from "zod";

export const forkSyncWorkflowName = "forkSync";

/** Of the schedule of a fork, in each installation that shares a namespace; ids of its workflows begin with it. */
export function forkScheduleId(taskQueue: string, repositoryId: string): string {
  return `fork-schedule:${taskQueue}:${repositoryId}`;
}

/** Of a sync that somebody asked for. */
export function forkSyncWorkflowId(taskQueue: string, repositoryId: string, syncId: string): string {
  return `fork-sync:${taskQueue}:${repositoryId}:${syncId}`;
}

/** Of a schedule, or of a workflow of either kind. Undefined for others. */
export function forkOf(id: string): string | undefined {
  return /^fork-(?:schedule|sync):.+?:(repo_[0-9a-z]{26})/.exec(id)?.[1];
}

/** Without `syncId`: what the schedule wants. */
export const SyncFork = z.strictObject({ repositoryId: z.string(), syncId: z.string().nullable() });
export type SyncFork = z.infer<typeof SyncFork>;

/** Of the workflow: `queue` is that of its activity. */
export interface ForkSyncInput extends SyncFork {
  queue: string;
}
