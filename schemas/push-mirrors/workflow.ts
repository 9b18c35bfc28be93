/** The workflow of one sync of a push mirror, and the schedule that begins it. */
import { z } from "zod";

export const pushMirrorSyncWorkflowName = "pushMirrorSync";

export interface PushMirrorPlace {
  repositoryId: string;
  pushMirrorId: string;
}

/** One for each push mirror, in each installation that shares a namespace. Ids of its workflows begin with it. */
export function pushMirrorScheduleId(taskQueue: string, at: string): string {
  return `push-mirror:${taskQueue}:${at}`;
}

/** `REPOSITORY:PUSH_MIRROR`, as in ids of schedules. */
export function pushMirrorKey({ repositoryId, pushMirrorId }: PushMirrorPlace): string {
  return `${repositoryId}:${pushMirrorId}`;
}

/** Of a schedule or one of its workflows. Undefined for others. */
export function pushMirrorOf(id: string): PushMirrorPlace | undefined {
  const [, repositoryId, pushMirrorId] =
    /^push-mirror:.+:(repo_[0-9a-z]{26}):(pmir_[0-9a-z]{26})/.exec(id) ?? [];
  return repositoryId === undefined || pushMirrorId === undefined
    ? undefined
    : { repositoryId, pushMirrorId };
}

export const SyncPushMirror = z.strictObject({ pushMirrorId: z.string() });
export type SyncPushMirror = z.infer<typeof SyncPushMirror>;

/** Of the workflow: `queue` is that of its activity. */
export interface PushMirrorSyncInput {
  pushMirrorId: string;
  queue: string;
}
