/** When mirrors are synced. */
import { cronProblem } from "@forgeline/compiler/cron-problem.ts";
import { isTimeZone, readCron, shortestGapMs, type CronTimes } from "@forgeline/compiler/cron.ts";
import { minIntervalMinutes } from "@forgeline/schemas/core/time.ts";
import { usualIntervalMinutes } from "@forgeline/schemas/mirrors/settings.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { ScheduleTimes } from "../../../platform/temporal-schedules.ts";

export interface Timing {
  intervalMinutes: number | null;
  cron: string | null;
  timezone: string | null;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Throws `validation_failed` for lines and time zones that mean nothing, or mean too often. */
export function readTiming(wanted: {
  interval_minutes?: number | undefined;
  cron?: string | undefined;
  timezone?: string | undefined;
}): Timing {
  const { cron, timezone = "UTC" } = wanted;
  if (cron === undefined)
    return {
      intervalMinutes: wanted.interval_minutes ?? usualIntervalMinutes,
      cron: null,
      timezone: null,
    };
  return { intervalMinutes: null, ...readCronTimes({ cron, timezone }) };
}

/** Throws `validation_failed` that names `cron` or `timezone`. */
export function readCronTimes({ cron, timezone }: CronTimes): CronTimes {
  if (!isTimeZone(timezone)) throw invalidField("timezone", "unknown", "This is not an IANA time zone.");
  const line = readCron(cron);
  if (line === undefined) throw invalidField("cron", "invalid", cronProblem(cron));
  if (shortestGapMs({ cron: line, timezone }, Date.now()) < minIntervalMinutes * minuteMs)
    throw invalidField(
      "cron",
      "too_often",
      `It must not run more often than every ${minIntervalMinutes} minutes.`,
    );
  return { cron: line, timezone };
}

/** With a delay of their own, so that mirrors with the same times do not start together. */
export function timesOf({ intervalMinutes, cron, timezone }: Timing): ScheduleTimes {
  if (intervalMinutes === null) return { cron: cron ?? "", timezone: timezone ?? "UTC", jitterMs: minuteMs };
  const everyMs = intervalMinutes * minuteMs;
  return { everyMs, jitterMs: Math.min(everyMs / 10, 5 * minuteMs) };
}

/** Mirrors that are synced this rarely are not held back. */
const rareMs = 6 * 60 * minuteMs;

/** How long no scheduled sync is tried after so many failures in a row: the interval once more each time, at most a day. */
export function backOffMs({ intervalMinutes, cron, timezone }: Timing, failures: number): number {
  const usualMs =
    cron === null
      ? (intervalMinutes ?? usualIntervalMinutes) * minuteMs
      : shortestGapMs({ cron, timezone: timezone ?? "UTC" }, Date.now());
  if (usualMs >= rareMs) return 0;
  // The first failure waits for nothing but the schedule.
  return failures < 2 ? 0 : Math.min(usualMs * 2 ** Math.min(failures - 2, 20), dayMs) - minuteMs / 2;
}
