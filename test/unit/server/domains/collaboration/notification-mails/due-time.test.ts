import { expect, test } from "vitest";
import {
  dueTime,
  type MailTimes,
} from "@forgeline/server/domains/collaboration/notification-mails/due-time.ts";

const plain: MailTimes = {
  digest: "immediately",
  digest_at: "08:00",
  time_zone: "Europe/Berlin",
  quiet_from: null,
  quiet_to: null,
  quiet_days: [],
};
const workdays = ["mon", "tue", "wed", "thu", "fri"];
const nights = { ...plain, quiet_from: "22:00", quiet_to: "07:00", quiet_days: workdays };

function due(times: MailTimes, now: string): [string, boolean] {
  const { atMs, inDigest } = dueTime(times, Date.parse(now));
  return [new Date(atMs).toISOString().slice(0, 16), inDigest];
}

test("without a digest and quiet hours a mail is due at once", () => {
  expect(due(plain, "2027-03-01T12:34:00Z")).toEqual(["2027-03-01T12:34", false]);
});

test("digests come at the next full hour, or at their time of the day", () => {
  expect(due({ ...plain, digest: "hourly" }, "2027-03-01T12:34:00Z")).toEqual(["2027-03-01T13:00", true]);
  const india = { ...plain, digest: "hourly", time_zone: "Asia/Kolkata" } as const;
  expect(due(india, "2027-03-01T12:34:00Z")).toEqual(["2027-03-01T13:30", true]);
  const daily = { ...plain, digest: "daily" } as const;
  expect(due(daily, "2027-03-01T06:59:00Z")).toEqual(["2027-03-01T07:00", true]);
  expect(due(daily, "2027-03-01T07:00:00Z")).toEqual(["2027-03-02T07:00", true]);
});

test("clocks that are set forward or back move a daily digest with them, and lose or repeat none", () => {
  const daily = { ...plain, digest: "daily" } as const;
  expect(due(daily, "2027-03-27T12:00:00Z")).toEqual(["2027-03-28T06:00", true]);
  expect(due(daily, "2027-10-30T12:00:00Z")).toEqual(["2027-10-31T07:00", true]);
  // 02:30 does not exist on that day.
  expect(due({ ...daily, digest_at: "02:30" }, "2027-03-27T12:00:00Z")).toEqual(["2027-03-28T01:00", true]);
  // And exists twice on this one.
  const twice = { ...daily, digest_at: "02:30" };
  expect(due(twice, "2027-10-30T12:00:00Z")).toEqual(["2027-10-31T00:30", true]);
  expect(due(twice, "2027-10-31T00:30:00Z")).toEqual(["2027-11-01T01:30", true]);
});

test("quiet hours hold mails until they end, through the night and on their days alone", () => {
  // A Monday.
  expect(due(nights, "2027-03-01T20:59:00Z")).toEqual(["2027-03-01T20:59", false]);
  expect(due(nights, "2027-03-01T21:00:00Z")).toEqual(["2027-03-02T06:00", true]);
  expect(due(nights, "2027-03-02T05:59:00Z")).toEqual(["2027-03-02T06:00", true]);
  expect(due(nights, "2027-03-02T06:00:00Z")).toEqual(["2027-03-02T06:00", false]);
  // The night that begins on Friday is quiet, the one of Saturday is not, and Monday's begins in the evening.
  expect(due(nights, "2027-03-06T02:00:00Z")).toEqual(["2027-03-06T06:00", true]);
  expect(due(nights, "2027-03-07T02:00:00Z")).toEqual(["2027-03-07T02:00", false]);
  expect(due(nights, "2027-03-08T02:00:00Z")).toEqual(["2027-03-08T02:00", false]);
});

test("a whole day is quiet where the hours begin when they end, and a digest waits for their end too", () => {
  const sunday = { ...plain, quiet_from: "00:00", quiet_to: "00:00", quiet_days: ["sun"] };
  expect(due(sunday, "2027-03-07T12:00:00Z")).toEqual(["2027-03-07T23:00", true]);
  const daily = { ...nights, digest: "daily", digest_at: "06:30" } as const;
  expect(due(daily, "2027-03-01T12:00:00Z")).toEqual(["2027-03-02T06:00", true]);
});
