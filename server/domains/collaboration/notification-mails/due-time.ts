/** When a mail of something that has just happened is sent: at once, in the next digest, or after the quiet hours. Pure. */
import { localMs, timeAfter } from "@forgeline/compiler/cron.ts";
import { weekdays } from "@forgeline/schemas/notifications/settings.ts";

export interface MailTimes {
  digest: "immediately" | "hourly" | "daily";
  /** `HH:MM`, in the time zone, as all that follow. */
  digest_at: string;
  time_zone: string;
  quiet_from: string | null;
  quiet_to: string | null;
  quiet_days: readonly string[];
}

export interface DueTime {
  atMs: number;
  /** It is sent with all others that are due then. */
  inDigest: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

export function dueTime(times: MailTimes, nowMs: number): DueTime {
  const planned = plannedMs(times, nowMs);
  const end = isQuiet(times, planned) ? nextAt(times, times.quiet_to ?? "", planned) : planned;
  return { atMs: end, inDigest: times.digest !== "immediately" || end !== nowMs };
}

function plannedMs(times: MailTimes, nowMs: number): number {
  if (times.digest === "immediately") return nowMs;
  if (times.digest === "daily") return nextAt(times, times.digest_at, nowMs);
  return timeAfter({ cron: "0 * * * *", timezone: times.time_zone }, nowMs) ?? nowMs;
}

/** The next time that clocks show this. */
function nextAt({ time_zone: timezone }: MailTimes, time: string, afterMs: number): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return timeAfter({ cron: `${minute} ${hour} * * *`, timezone }, afterMs) ?? afterMs;
}

/** They begin on one of the days, and last into the next one where `to` is not after `from`. */
function isQuiet(times: MailTimes, atMs: number): boolean {
  const { quiet_from: from, quiet_to: to, quiet_days: days } = times;
  if (from === null || to === null) return false;
  const local = localMs(times.time_zone, atMs);
  const time = new Date(local).toISOString().slice(11, 16);
  const today = days.includes(dayOf(local));
  if (from < to) return today && from <= time && time < to;
  return (today && from <= time) || (days.includes(dayOf(local - dayMs)) && time < to);
}

function dayOf(localTimeMs: number): string {
  // Of `Date`, Sunday is 0.
  return weekdays[(new Date(localTimeMs).getUTCDay() + 6) % 7] ?? "";
}
