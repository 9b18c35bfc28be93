/**
 * Cron lines with five fields in an IANA time zone. A local time that does not exist comes at the next minute that does, one that
 * exists twice comes once, at the first of both.
 */
import { Cron } from "croner";

export interface CronTimes {
  cron: string;
  timezone: string;
}

/** Numbers, and names of three letters. */
const fieldForm = /^(?:[0-9*,/-]|(?<![A-Za-z])[A-Za-z]{3}(?![A-Za-z]))+$/;

/** With single spaces; undefined for what is no cron line with five fields, or never comes. */
export function readCron(text: string): string | undefined {
  const line = text.trim().split(/\s+/).join(" ");
  const fields = line.split(" ");
  // Croner knows more: nicknames, the last day of a month, the nearest weekday.
  if (fields.length !== 5 || !fields.every((field) => fieldForm.test(field))) return undefined;
  return localRuns(line)?.nextRun(new Date(0)) ? line : undefined;
}

export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && zoneFormat(name) !== undefined;
  } catch {
    return false;
  }
}

/** Those after a time, in order; all in milliseconds. Throws for what `readCron` and `isTimeZone` refuse. */
export function* comingTimes({ cron, timezone }: CronTimes, afterMs: number): Generator<number, void> {
  const runs = localRuns(cron);
  if (!runs) throw new Error(`${cron} is no cron line`);
  let last = afterMs;
  // What is local before this was also before it in time, so the search may begin here.
  let local = runs.nextRun(new Date(localMs(timezone, afterMs)));
  for (; local !== null; local = runs.nextRun(local)) {
    const time = placedMs(timezone, local.getTime());
    if (time <= last) continue;
    yield time;
    last = time;
  }
}

/** The next ones after a time. */
export function timesAfter(times: CronTimes, afterMs: number, count: number): number[] {
  const found: number[] = [];
  if (count < 1) return found;
  for (const time of comingTimes(times, afterMs)) {
    found.push(time);
    if (found.length >= count) break;
  }
  return found;
}

/** Undefined if it never comes again. */
export function timeAfter(times: CronTimes, afterMs: number): number | undefined {
  return timesAfter(times, afterMs, 1)[0];
}

/** The shortest time between two of the next hundred, in milliseconds; Infinity for a line that comes once. */
export function shortestGapMs(times: CronTimes, afterMs: number): number {
  const next = timesAfter(times, afterMs, 100);
  return Math.min(...next.slice(1).map((time, index) => time - (next[index] ?? 0)), Infinity);
}

/** As if there were no time zones: local times as UTC. */
function localRuns(line: string): Cron | undefined {
  try {
    return new Cron(line, { timezone: "UTC", mode: "5-part" });
  } catch {
    return undefined;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();
const maxFormats = 1_000;

/** Throws `RangeError` for what is no time zone. */
function zoneFormat(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known) return known;
  const numeric = "numeric";
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    calendar: "iso8601",
    hourCycle: "h23",
    era: "short",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  if (formats.size >= maxFormats) formats.clear();
  formats.set(timezone, format);
  return format;
}

/** What clocks in the zone show, read as UTC. Throws for what `isTimeZone` refuses. */
export function localMs(timezone: string, timeMs: number): number {
  const parts = new Map(
    zoneFormat(timezone)
      .formatToParts(timeMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const [year, month, day] = [part("year"), part("month") - 1, part("day")];
  return Date.UTC(year, month, day, part("hour"), part("minute"), part("second"));
}

const minuteMs = 60_000;
/** No zone is further from UTC. */
const furthestMs = 15 * 60 * minuteMs;

/** The first time whose clocks show this or more: where clocks jump ahead over it, the end of the jump. */
function placedMs(timezone: string, local: number): number {
  const offset = (timeMs: number) => localMs(timezone, timeMs) - timeMs;
  const candidates = [local - offset(local - furthestMs), local - offset(local + furthestMs)];
  const exact = candidates.filter((time) => localMs(timezone, time) === local);
  if (exact.length > 0) return Math.min(...exact);
  let before = Math.min(...candidates) - minuteMs;
  let after = Math.max(...candidates) + minuteMs;
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs;
    if (localMs(timezone, middle) < local) before = middle;
    else after = middle;
  }
  return after;
}
