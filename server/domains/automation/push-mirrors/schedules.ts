/** Schedules of push mirrors: one for each. */
import {
  pushMirrorKey,
  pushMirrorOf,
  pushMirrorScheduleId,
  pushMirrorSyncWorkflowName,
  type PushMirrorPlace,
  type PushMirrorSyncInput,
} from "@forgeline/schemas/push-mirrors/workflow.ts";
import { mirrorTaskQueue } from "@forgeline/schemas/mirrors/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addScheduleIntent, type ScheduledMirrors } from "../mirrors/sync-schedules.ts";
import { requestSync } from "./push-mirrors.store.ts";
import { findSchedule, listAfter } from "./push-syncs.store.ts";

/** Prefix of the keys of their intents. */
export const pushScheduleKey = "push_mirror";

const idOf = (at: string) => at.split(":")[1] ?? "";
const placeOf = (row: { id: string; repository_id: string }): PushMirrorPlace => ({
  repositoryId: row.repository_id,
  pushMirrorId: row.id,
});

/** `at` is `REPOSITORY:PUSH_MIRROR`. */
export function scheduledPushMirrors(taskQueue: string): ScheduledMirrors {
  return {
    key: pushScheduleKey,
    scheduleId: (at) => pushMirrorScheduleId(taskQueue, at),
    atOf(scheduleId) {
      const place = pushMirrorOf(scheduleId);
      return place && pushMirrorKey(place);
    },
    workflow(at) {
      const input: PushMirrorSyncInput = { pushMirrorId: idOf(at), queue: mirrorTaskQueue(taskQueue) };
      return { workflowType: pushMirrorSyncWorkflowName, taskQueue, args: [input] };
    },
    async find(db, at) {
      const row = await findSchedule(db, idOf(at));
      return row && { ...row, intervalMinutes: row.interval_minutes };
    },
    list: async (db, after, limit) =>
      (await listAfter(db, idOf(after), limit)).map((row) => pushMirrorKey(placeOf(row))),
    request: (tx, at) => requestSync(tx, idOf(at)),
  };
}

/** `only`: a sync is wanted, and nothing else has changed. */
export function addPushScheduleIntent(
  tx: Transaction,
  row: { id: string; repository_id: string },
  only?: "sync",
): Promise<void> {
  const place = placeOf(row);
  const intent = { key: pushScheduleKey, repositoryId: place.repositoryId, at: pushMirrorKey(place) };
  return addScheduleIntent(tx, only ? { ...intent, only } : intent);
}
