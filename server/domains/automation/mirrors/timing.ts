/** When mirrors are synced. */
import { Cron } from "croner";
import { minIntervalMinutes, usualIntervalMinutes } from "@forgeline/schemas/mirrors/settings.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { ScheduleTimes } from "../../../platform/temporal-schedules.ts";

export interface Timing {
  intervalMinutes: number | null;
  cron: string | null;
  timezone: string | null;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** As many runs of a cron line are looked at for the shortest time between two. */
const lookedAt = 100;

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
  if (!isTimeZone(timezone)) throw invalidField("timezone", "unknown", "This is not an IANA time zone.");
  const line = cron.trim().split(/\s+/).join(" ");
  const runs = runsOf(line, timezone);
  if (runs === undefined || line.split(" ").length !== 5)
    throw invalidField("cron", "invalid", "This is not a cron line with five fields.");
  if (runs.length === 0) throw invalidField("cron", "invalid", "This cron line never comes.");
  if (runs.some((run, index) => index > 0 && run - (runs[index - 1] ?? 0) < minIntervalMinutes * minuteMs))
    throw invalidField(
      "cron",
      "too_often",
      `It must not come more often than every ${minIntervalMinutes} minutes.`,
    );
  return { intervalMinutes: null, cron: line, timezone };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/** The next ones, in milliseconds; undefined for what is no cron line. */
function runsOf(line: string, timezone: string): number[] | undefined {
  try {
    return new Cron(line, { timezone, mode: "5-part" }).nextRuns(lookedAt).map((run) => run.getTime());
  } catch {
    return undefined;
  }
}

/** With a delay of their own, so that mirrors with the same times do not start together. */
export function timesOf({ intervalMinutes, cron, timezone }: Timing): ScheduleTimes {
  if (intervalMinutes === null) return { cron: cron ?? "", timezone: timezone ?? "UTC", jitterMs: minuteMs };
  const everyMs = intervalMinutes * minuteMs;
  return { everyMs, jitterMs: Math.min(everyMs / 10, 5 * minuteMs) };
}

/** How long no scheduled sync is tried after so many failures in a row: the interval once more each time, at most a day. */
export function backOffMs({ intervalMinutes }: Timing, failures: number): number {
  const usualMs = (intervalMinutes ?? usualIntervalMinutes) * minuteMs;
  // The first failure waits for nothing but the schedule.
  return failures < 2 ? 0 : Math.min(usualMs * 2 ** Math.min(failures - 2, 20), dayMs) - minuteMs / 2;
}
