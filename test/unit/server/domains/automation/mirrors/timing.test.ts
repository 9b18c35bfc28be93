/** When mirrors are synced: what is accepted as a time, and how failures put it off. */
import { expect, test } from "vitest";
import { backOffMs, readTiming, timesOf } from "@forgeline/server/domains/automation/mirrors/timing.ts";

const minuteMs = 60_000;

test("an interval, or a cron line with a time zone", () => {
  expect(readTiming({})).toEqual({ intervalMinutes: 60, cron: null, timezone: null });
  expect(readTiming({ interval_minutes: 5 })).toMatchObject({ intervalMinutes: 5 });
  expect(readTiming({ cron: " 15  3 * * 1-5 ", timezone: "Europe/Berlin" })).toEqual({
    intervalMinutes: null,
    cron: "15 3 * * 1-5",
    timezone: "Europe/Berlin",
  });
  expect(readTiming({ cron: "*/5 * * * *" })).toMatchObject({ timezone: "UTC" });
});

test.each([
  ["* * * * *", "too_often"],
  ["*/4 * * * *", "too_often"],
  ["0,3 * * * *", "too_often"],
  ["59,0 * * * *", "too_often"],
  ["", "invalid"],
  ["0 0 30 2 *", "invalid"],
  ["0 0 * *", "invalid"],
  ["0 0 0 * * *", "invalid"],
  ["@hourly", "invalid"],
  ["0 0 * * MOON", "invalid"],
  ["61 * * * *", "invalid"],
  ["0 0 * * * ; rm", "invalid"],
  ["2026-01-01T00:00:00", "invalid"],
])("the cron line %j is refused as %s", (cron, code) => {
  const errors = [expect.objectContaining({ field: "cron", code })];
  const options = expect.objectContaining({ errors });
  expect(() => readTiming({ cron })).toThrow(expect.objectContaining({ options }));
});

test.each(["", "Mars/Olympus", "../etc", "+01:00", "UTC; x"])("%j is no time zone", (timezone) => {
  expect(() => readTiming({ cron: "0 3 * * *", timezone })).toThrow("time zone");
});

test("mirrors with the same times do not start together", () => {
  expect(timesOf(readTiming({ interval_minutes: 60 }))).toEqual({
    everyMs: 60 * minuteMs,
    jitterMs: 5 * minuteMs,
  });
  expect(timesOf(readTiming({ interval_minutes: 5 }))).toMatchObject({ jitterMs: minuteMs / 2 });
  expect(timesOf(readTiming({ cron: "0 3 * * *" }))).toMatchObject({ jitterMs: minuteMs });
});

test("each failure in a row doubles the wait, up to a day", () => {
  const timing = readTiming({ interval_minutes: 60 });
  const waits = [1, 2, 3, 4, 10, 1_000].map((failures) => Math.ceil(backOffMs(timing, failures) / minuteMs));
  expect(waits).toEqual([0, 60, 120, 240, 1440, 1440]);
});

test("what is synced rarely is tried at each of its times", () => {
  const daily = readTiming({ cron: "15 3 * * *", timezone: "Europe/Berlin" });
  expect([2, 3, 10].map((failures) => backOffMs(daily, failures))).toEqual([0, 0, 0]);
  const often = readTiming({ cron: "*/15 * * * *" });
  expect(Math.ceil(backOffMs(often, 2) / minuteMs)).toBe(15);
});
