/** Each mirror has a schedule in Temporal, which begins its syncs. The row is the truth; a change of it reaches Temporal through the outbox. */
import { setTimeout as sleep } from "node:timers/promises";
import { ScheduleNotFoundError } from "@temporalio/client";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { addIntent, type OutboxHandler } from "../../../platform/outbox/outbox.ts";
import type { TemporalSchedules, WorkflowSchedule } from "../../../platform/temporal-schedules.ts";
import { timesOf, type Timing } from "./timing.ts";

/** Mirrors of one direction. `at` names one: in keys, in ids of schedules, and in the following. */
export interface ScheduledMirrors {
  /** Prefix of the keys of intents. */
  key: string;
  /** Begins with that of `""`. */
  scheduleId(at: string): string;
  /** Undefined for other schedules. */
  atOf(scheduleId: string): string | undefined;
  workflow(at: string): Pick<WorkflowSchedule, "workflowType" | "taskQueue" | "args">;
  find(db: Database, at: string): Promise<ScheduledMirror | undefined>;
  /** Rising, after one. */
  list(db: Database, after: string, limit: number): Promise<string[]>;
  /** Writes that somebody wants a sync. */
  request(tx: Transaction, at: string): Promise<unknown>;
}

export interface ScheduledMirror extends Timing {
  enabled: boolean;
  /** Somebody wants a sync now. */
  requested: boolean;
}

export interface MirrorSchedules {
  /** Makes the schedule what the row says, and begins the sync that somebody asked for. Throws if Temporal does not answer. */
  apply(at: string): Promise<void>;
  /** Begins a sync, or another one after that which is running. Throws if Temporal does not answer. */
  trigger(at: string): Promise<void>;
  /** Begins a sync, also while the schedule would wait after failures. Throws if Temporal does not answer. */
  syncNow(at: string): Promise<void>;
  /** All of them, and removes those without a mirror. */
  applyAll(signal: AbortSignal): Promise<void>;
  /** Undefined where there is none, or Temporal does not answer soon. */
  nextTimes(at: string): Promise<Date[] | undefined>;
}

export interface MirrorSchedulesDeps {
  db: Database;
  schedules: TemporalSchedules;
}

const batch = 500;
const patienceMs = 1_000;

/** `only` a sync is wanted, and nothing else has changed. */
export async function addScheduleIntent(
  tx: Transaction,
  { key, repositoryId: group, at, only }: { key: string; repositoryId: string; at: string; only?: "sync" },
): Promise<void> {
  await addIntent(tx, {
    kind: "mirror_schedule",
    key: `${key}:${at}`,
    group,
    payload: { only: only ?? null },
  });
}

/** However many changes of one mirror wait, one call makes them. */
export function createScheduleHandler(key: string, schedules: MirrorSchedules): OutboxHandler {
  return (items) => {
    const at = items[0]?.key.slice(key.length + 1) ?? "";
    const isTrigger = items.every(({ payload }) => (payload as { only?: string | null }).only === "sync");
    const call = () => (isTrigger ? schedules.trigger(at) : schedules.apply(at));
    return [{ kind: "mirror_schedule", items: [...items], call }];
  };
}

export function createMirrorSchedules(
  { db, schedules }: MirrorSchedulesDeps,
  of: ScheduledMirrors,
): MirrorSchedules {
  async function apply(at: string): Promise<void> {
    const scheduleId = of.scheduleId(at);
    const wanted = await of.find(db, at);
    if (!wanted) return schedules.remove(scheduleId);
    await schedules.keep({ scheduleId, times: timesOf(wanted), ...of.workflow(at), paused: !wanted.enabled });
    if (wanted.requested) await schedules.trigger(scheduleId);
  }

  return {
    apply,
    async trigger(at) {
      try {
        await schedules.trigger(of.scheduleId(at));
      } catch (error) {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
        await apply(at);
      }
    },
    async syncNow(at) {
      await db.transaction(async (tx) => void (await of.request(tx, at)));
      await apply(at);
    },
    async applyAll(signal) {
      const left = new Set(await schedules.list(of.scheduleId("")));
      for (let after = "", some = await of.list(db, after, batch); some.length > 0;) {
        for (const each of some) {
          signal.throwIfAborted();
          await apply(each);
          left.delete(of.scheduleId(each));
        }
        after = some.at(-1) ?? "";
        some = await of.list(db, after, batch);
      }
      for (const scheduleId of left) {
        const at = of.atOf(scheduleId);
        if (at !== undefined) await apply(at);
      }
    },
    async nextTimes(at) {
      const late = sleep(patienceMs, undefined, { ref: false });
      const described = schedules.describe(of.scheduleId(at)).catch(() => undefined);
      return (await Promise.race([described, late]))?.info.nextActionTimes;
    },
  };
}
