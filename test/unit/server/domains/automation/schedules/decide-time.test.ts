import { decideTime } from "@forgeline/server/domains/automation/schedules/decide-time.ts";
import { expect, test } from "vitest";

const at = (text: string) => Date.parse(`2026-11-27T${text}Z`);
const decide = (cron: string, due: string, now: string, ifMissed: "skip" | "run_once" = "skip") => {
  const time = decideTime({ cron, timezone: "UTC", ifMissed }, { dueMs: at(due), nowMs: at(now) });
  const shown = (ms: number | undefined) => new Date(ms ?? 0).toISOString().slice(5, 16);
  return [time.action, time.isMissed, shown(time.dueMs), time.missed, shown(time.nextMs)];
};

test.each([
  ["in time", "0 * * * *", "10:00", "10:00:01", "skip", ["run", false, "11-27T10:00", 0, "11-27T11:00"]],
  ["late", "0 * * * *", "10:00", "10:30", "skip", ["run", false, "11-27T10:00", 0, "11-27T11:00"]],
  ["missed", "0 * * * *", "10:00", "10:30:01", "skip", ["skip", true, "11-27T10:00", 0, "11-27T11:00"]],
  [
    "missed, once",
    "0 * * * *",
    "10:00",
    "10:30:01",
    "run_once",
    ["run", true, "11-27T10:00", 0, "11-27T11:00"],
  ],
  ["some missed", "0 * * * *", "10:00", "13:31", "skip", ["skip", true, "11-27T13:00", 3, "11-27T14:00"]],
  [
    "some missed, the last late",
    "0 * * * *",
    "10:00",
    "13:05",
    "skip",
    ["run", false, "11-27T13:00", 3, "11-27T14:00"],
  ],
] as const)("%s", (_, cron, due, now, ifMissed, expected) => {
  expect(decide(cron, due, now, ifMissed)).toEqual(expected);
});

test("a long time is not counted to its end, and the next time is right", () => {
  const dueMs = Date.UTC(2024, 0, 1);
  const nowMs = at("10:02");
  const line = { cron: "*/5 * * * *", timezone: "Europe/Berlin", ifMissed: "run_once" } as const;
  const time = decideTime(line, { dueMs, nowMs });
  expect(time).toMatchObject({ action: "run", isMissed: true, missed: 1_000, nextMs: at("10:05") });
});
