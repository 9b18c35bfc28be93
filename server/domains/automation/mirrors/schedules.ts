/** Each mirror has a schedule in Temporal, which begins its syncs. The row is the truth; a change of it reaches Temporal through the outbox. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  mirroredRepositoryOf,
  mirrorScheduleId,
  mirrorSyncWorkflowName,
  mirrorTaskQueue,
  type MirrorSyncInput,
} from "@forgeline/schemas/mirrors/workflow.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { addIntent, type OutboxHandler } from "../../../platform/outbox/outbox.ts";
import type { TemporalSchedules } from "../../../platform/temporal-schedules.ts";
import { findSchedule, listRepositories, requestSync } from "./mirrors.store.ts";
import { timesOf } from "./timing.ts";

/** Prefix of the keys of these intents. */
export const scheduleKey = "mirror";

export interface MirrorSchedules {
  /** Makes the schedule what the row says, and begins the sync that somebody asked for. Throws if Temporal does not answer. */
  apply(repositoryId: string): Promise<void>;
  /** Begins a sync, also while the schedule would wait after failures. Throws if Temporal does not answer. */
  syncNow(repositoryId: string): Promise<void>;
  /** All of them, and removes those without a mirror. */
  applyAll(signal: AbortSignal): Promise<void>;
  /** Undefined where there is none, or Temporal does not answer soon. */
  nextTimes(repositoryId: string): Promise<Date[] | undefined>;
}

export interface MirrorSchedulesDeps {
  db: Database;
  schedules: TemporalSchedules;
  taskQueue: string;
}

const batch = 500;
const patienceMs = 1_000;

export async function addScheduleIntent(tx: Transaction, repositoryId: string): Promise<void> {
  await addIntent(tx, {
    kind: "mirror_schedule",
    key: `${scheduleKey}:${repositoryId}`,
    group: repositoryId,
    payload: { repositoryId },
  });
}

/** However many changes of one mirror wait, one call makes them. */
export function createScheduleHandler(schedules: MirrorSchedules): OutboxHandler {
  return (items) => {
    const repositoryId = items[0]?.key.slice(scheduleKey.length + 1) ?? "";
    const call = () => schedules.apply(repositoryId);
    return [{ kind: "mirror_schedule", items: [...items], call }];
  };
}

export function createMirrorSchedules({ db, schedules, taskQueue }: MirrorSchedulesDeps): MirrorSchedules {
  const idOf = (repositoryId: string) => mirrorScheduleId(taskQueue, repositoryId);

  async function apply(repositoryId: string): Promise<void> {
    const scheduleId = idOf(repositoryId);
    const wanted = await findSchedule(db, repositoryId);
    if (!wanted) return schedules.remove(scheduleId);
    const { interval_minutes: intervalMinutes, cron, timezone, enabled, requested } = wanted;
    const input: MirrorSyncInput = { repositoryId, queue: mirrorTaskQueue(taskQueue) };
    await schedules.keep({
      scheduleId,
      times: timesOf({ intervalMinutes, cron, timezone }),
      workflowType: mirrorSyncWorkflowName,
      taskQueue,
      args: [input],
      paused: !enabled,
    });
    if (requested) await schedules.trigger(scheduleId);
  }

  return {
    apply,
    async syncNow(repositoryId) {
      await db.transaction(async (tx) => void (await requestSync(tx, repositoryId)));
      await apply(repositoryId);
    },
    async applyAll(signal) {
      const left = new Set(await schedules.list(idOf("")));
      for (let after = "", some = await listRepositories(db, after, batch); some.length > 0;) {
        for (const repositoryId of some) {
          signal.throwIfAborted();
          await apply(repositoryId);
          left.delete(idOf(repositoryId));
        }
        after = some.at(-1) ?? "";
        some = await listRepositories(db, after, batch);
      }
      for (const scheduleId of left) {
        const repositoryId = mirroredRepositoryOf(scheduleId);
        if (repositoryId !== undefined) await apply(repositoryId);
      }
    },
    async nextTimes(repositoryId) {
      const late = sleep(patienceMs, undefined, { ref: false });
      const described = schedules.describe(idOf(repositoryId)).catch(() => undefined);
      return (await Promise.race([described, late]))?.info.nextActionTimes;
    },
  };
}
