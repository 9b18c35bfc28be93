/** The workflow of one sync of a mirror, and the schedule that begins it. */
import { z } from "zod";

export const mirrorSyncWorkflowName = "mirrorSync";

const prefix = "mirror:";

/** One for each mirror, in each installation that shares a namespace. Ids of its workflows begin with it. */
export function mirrorScheduleId(taskQueue: string, repositoryId: string): string {
  return `${prefix}${taskQueue}:${repositoryId}`;
}

/** Of a schedule or one of its workflows. Undefined for others. */
export function mirroredRepositoryOf(id: string): string | undefined {
  return /^mirror:.+:(repo_[0-9a-z]{26})/.exec(id)?.[1];
}

/** Syncs take long and wait for others' servers, so they have a queue of their own. */
export function mirrorTaskQueue(taskQueue: string): string {
  return `${taskQueue}-mirrors`;
}

export const SyncMirror = z.strictObject({ repositoryId: z.string() });
export type SyncMirror = z.infer<typeof SyncMirror>;

/** Of the workflow: `queue` is that of its activity. */
export interface MirrorSyncInput {
  repositoryId: string;
  queue: string;
}
