/** Schedules of mirrors that follow a source: one for each repository. */
import {
  mirroredRepositoryOf,
  mirrorScheduleId,
  mirrorSyncWorkflowName,
  mirrorTaskQueue,
  type MirrorSyncInput,
} from "@forgeline/schemas/mirrors/workflow.ts";
import { findSchedule, listRepositories, requestSync } from "./mirrors.store.ts";
import type { ScheduledMirrors } from "./sync-schedules.ts";

/** Prefix of the keys of their intents. */
export const scheduleKey = "mirror";

/** `at` is the repository's id. */
export function scheduledMirrors(taskQueue: string): ScheduledMirrors {
  return {
    key: scheduleKey,
    scheduleId: (repositoryId) => mirrorScheduleId(taskQueue, repositoryId),
    atOf: mirroredRepositoryOf,
    workflow(repositoryId) {
      const input: MirrorSyncInput = { repositoryId, queue: mirrorTaskQueue(taskQueue) };
      return { workflowType: mirrorSyncWorkflowName, taskQueue, args: [input] };
    },
    async find(db, repositoryId) {
      const row = await findSchedule(db, repositoryId);
      return row && { ...row, intervalMinutes: row.interval_minutes };
    },
    list: listRepositories,
    request: requestSync,
  };
}
