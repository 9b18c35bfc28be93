import { isTimeZone, readCron, shortestGapMs, timeAfter, timesAfter } from "@forgeline/compiler/cron.ts";
import { expect, test } from "vitest";

const times = (cron: string, timezone: string, after: string, count = 3) =>
  timesAfter({ cron, timezone }, Date.parse(after), count).map((time) =>
    new Date(time).toISOString().replace(":00.000Z", "Z"),
  );

test.each([
  ["an hour that does not exist", "30 2 * * *", "Europe/Berlin", "2026-03-28T12:00Z", "2026-03-29T01:00Z"],
  ["one that exists twice", "30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", "2026-10-25T00:30Z"],
  ["after its first time", "30 2 * * *", "Europe/Berlin", "2026-10-25T00:30Z", "2026-10-26T01:30Z"],
  ["between both times", "45 2 * * *", "Europe/Berlin", "2026-10-25T01:10Z", "2026-10-26T01:45Z"],
  [
    "half an hour that does not exist",
    "15 2 * * *",
    "Australia/Lord_Howe",
    "2026-10-03T12:00Z",
    "2026-10-03T15:30Z",
  ],
  [
    "midnight that does not exist",
    "0 0 * * *",
    "America/Sao_Paulo",
    "2017-10-14T12:00Z",
    "2017-10-15T03:00Z",
  ],
  ["a day that does not exist", "0 12 * * *", "Pacific/Apia", "2011-12-29T23:00Z", "2011-12-30T10:00Z"],
  ["a leap day", "0 0 29 2 *", "UTC", "2026-01-01T00:00Z", "2028-02-29T00:00Z"],
  ["either day, where both are given", "0 0 13 * FRI", "UTC", "2026-11-01T00:00Z", "2026-11-06T00:00Z"],
  ["Sunday as seven", "0 0 * * 7", "UTC", "2026-11-27T00:00Z", "2026-11-29T00:00Z"],
  ["from within a minute", "0 * * * *", "Asia/Kathmandu", "2026-11-27T10:14:59Z", "2026-11-27T10:15Z"],
])("%s", (_, cron, zone, after, expected) => {
  expect(times(cron, zone, after, 1)).toEqual([expected]);
});

test("times that fall together come once", () => {
  expect(times("*/15 * * * *", "Europe/Berlin", "2026-03-29T00:40Z", 3)).toEqual([
    "2026-03-29T00:45Z",
    "2026-03-29T01:00Z",
    "2026-03-29T01:15Z",
  ]);
  expect(times("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:20Z", 3)).toEqual([
    "2026-10-25T00:30Z",
    "2026-10-25T02:00Z",
    "2026-10-25T02:30Z",
  ]);
});

test.each([
  "@daily",
  "0 3 * *",
  "* * * * * *",
  "60 * * * *",
  "0 24 * * *",
  "0 0 30 2 *",
  "a b c d e",
  "0 0 L * *",
  "0 0 * * 5L",
  "0 0 * * 5#2",
  "0 0 15W * *",
  "*/0 * * * *",
  "5-1 * * * *",
  "1,,2 * * * *",
  "0 0 * FOO *",
  "0 0 ? * *",
  "",
  "0 0 * * ${x}",
])("%j is no cron line", (text) => {
  expect(readCron(text)).toBeUndefined();
});

test("spaces do not matter, and names of months and days are known", () => {
  expect(readCron("  0   3 * jan,DEC Mon-Fri ")).toBe("0 3 * jan,DEC Mon-Fri");
});

test("the shortest time between two, and a line without a next time", () => {
  expect(shortestGapMs({ cron: "0,4 * * * *", timezone: "UTC" }, 0)).toBe(4 * 60_000);
  expect(timeAfter({ cron: "0 0 1 1 *", timezone: "UTC" }, Date.UTC(2026, 5, 1))).toBe(Date.UTC(2027, 0, 1));
});

test("time zones have names, not offsets", () => {
  expect(["Europe/Berlin", "UTC", "+02:00", "Mars/Olympus", "", "../etc"].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
