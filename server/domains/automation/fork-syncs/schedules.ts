/** How syncs of forks begin: by a schedule, or because somebody asked for one. */
import {
  forkOf,
  forkScheduleId,
  forkSyncWorkflowId,
  forkSyncWorkflowName,
  type ForkSyncInput,
} from "@forgeline/schemas/fork-syncs/workflow.ts";
import { mirrorTaskQueue } from "@forgeline/schemas/mirrors/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent, type OutboxHandler } from "../../../platform/outbox/outbox.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import { addScheduleIntent, type ScheduledMirrors } from "../mirrors/sync-schedules.ts";
import { findSchedule, listAfter } from "./fork-schedules.store.ts";

/** Prefix of the keys of intents about schedules. */
export const forkScheduleKey = "fork_schedule";
/** The same about syncs. */
export const forkSyncKey = "fork_sync";

/** `at` is the repository's id. */
export function scheduledForks(taskQueue: string): ScheduledMirrors {
  return {
    key: forkScheduleKey,
    scheduleId: (repositoryId) => forkScheduleId(taskQueue, repositoryId),
    atOf: forkOf,
    workflow(repositoryId) {
      const input: ForkSyncInput = { repositoryId, syncId: null, queue: mirrorTaskQueue(taskQueue) };
      return { workflowType: forkSyncWorkflowName, taskQueue, args: [input] };
    },
    async find(db, repositoryId) {
      const row = await findSchedule(db, repositoryId);
      return row && { ...row, intervalMinutes: row.interval_minutes, requested: false };
    },
    list: listAfter,
    // Whoever wants a sync has a workflow of their own.
    request: () => Promise.resolve(),
  };
}

export function addForkScheduleIntent(tx: Transaction, repositoryId: string): Promise<void> {
  return addScheduleIntent(tx, { key: forkScheduleKey, repositoryId, at: repositoryId });
}

interface Asked {
  repositoryId: string;
  syncId: string;
}

export async function addForkSyncIntent(tx: Transaction, { repositoryId, syncId }: Asked): Promise<void> {
  await addIntent(tx, {
    kind: "fork_sync",
    key: `${forkSyncKey}:${syncId}`,
    group: repositoryId,
    payload: { repositoryId, syncId },
  });
}

/** Starts the workflow of a sync. */
export function createForkSyncHandler({
  temporal,
  taskQueue,
}: {
  temporal: Temporal;
  taskQueue: string;
}): OutboxHandler {
  return (items) => {
    const [first] = items;
    if (!first) return [];
    const { repositoryId, syncId } = first.payload as Asked;
    const input: ForkSyncInput = { repositoryId, syncId, queue: mirrorTaskQueue(taskQueue) };
    const call = () =>
      temporal.call(
        async (client) =>
          void (await client.workflow.start(forkSyncWorkflowName, {
            taskQueue,
            workflowId: forkSyncWorkflowId(taskQueue, repositoryId, syncId),
            workflowIdConflictPolicy: "USE_EXISTING",
            args: [input],
          })),
      );
    return [{ kind: "fork_sync", items: [...items], call }];
  };
}
