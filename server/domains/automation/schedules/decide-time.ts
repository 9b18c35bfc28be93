/** What becomes of a time of a schedule that has come. Pure. */
import { comingTimes, timeAfter, type CronTimes } from "@forgeline/compiler/cron.ts";

/** A time that passed this long ago is missed, not late: longer than thousands at the same minute take. */
const graceMs = 30 * 60_000;
/** Nobody needs to know of more. */
const maxCounted = 1_000;

export interface DecidedTime {
  action: "run" | "skip";
  /** It stands for times that passed while nothing could start. */
  isMissed: boolean;
  /** Milliseconds, as the following. The last one that has passed, up to the thousandth. */
  dueMs: number;
  /** How many passed before it. */
  missed: number;
  /** Undefined if it never comes again. */
  nextMs: number | undefined;
}

/** `dueMs`: the first time that nothing has been made of, which has passed. */
export function decideTime(
  schedule: CronTimes & { ifMissed: "skip" | "run_once" },
  { dueMs, nowMs }: { dueMs: number; nowMs: number },
): DecidedTime {
  let newestMs = dueMs;
  let missed = 0;
  let nextMs: number | undefined;
  for (const time of comingTimes(schedule, dueMs)) {
    if (time > nowMs) nextMs = time;
    if (time > nowMs || missed === maxCounted) break;
    newestMs = time;
    missed += 1;
  }
  const isMissed = newestMs < nowMs - graceMs;
  const action = isMissed && schedule.ifMissed === "skip" ? "skip" : "run";
  return { action, isMissed, dueMs: newestMs, missed, nextMs: nextMs ?? timeAfter(schedule, nowMs) };
}
