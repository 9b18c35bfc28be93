import { compareFiles, type Found } from "@forgeline/server/domains/automation/schedules/compare-files.ts";
import type { FileScheduleRow } from "@forgeline/server/domains/automation/schedules/schedules.store.ts";
import { expect, test } from "vitest";

const trigger = {
  name: "nightly",
  cron: "0 3 * * *",
  timezone: "UTC",
  branch: null,
  ifMissed: "skip",
} as const;
const row: FileScheduleRow = {
  id: "sched_1",
  file: "a.yml",
  name: "nightly",
  cron: "0 3 * * *",
  timezone: "UTC",
  ref: null,
  if_missed: "skip",
  enabled: true,
  disabled_reason: null,
  owner_id: "usr_ada",
  reach: "reads",
  next_at: new Date(0),
};

function compare(changes: Partial<Found>) {
  return compareFiles({
    repositoryId: "repo_1",
    rows: [],
    listed: [{ file: "a.yml", schedules: [trigger] }],
    by: { origin: "push", user_id: "usr_bob", reach: "starts" },
    nowMs: Date.UTC(2026, 10, 27, 12),
    newId: () => "sched_new",
    ...changes,
  });
}
const none = { added: [], changed: [], removed: [] };

test("what is as it was is left alone", () => {
  expect(compare({ rows: [row] })).toEqual(none);
});

test.each([
  [
    "push",
    "usr_bob",
    { enabled: true, disabledReason: null, ownerId: "usr_bob", nextAt: new Date("2026-11-28T03:00Z") },
  ],
  ["push", null, { enabled: false, disabledReason: "owner", ownerId: null, nextAt: null }],
  ["mirror", null, { enabled: false, disabledReason: "mirror", ownerId: null, nextAt: null }],
  ["fork", null, { enabled: false, disabledReason: "fork", ownerId: null, nextAt: null }],
] as const)("a new one by a %s of %s", (origin, user_id, expected) => {
  const { added, changed, removed } = compare({ by: { origin, user_id, reach: "reads" } });
  expect([added, changed, removed]).toMatchObject([
    [{ id: "sched_new", source: "file", ...expected }],
    [],
    [],
  ]);
});

test("a changed one keeps its owner and whether it is on, and reaches no further", () => {
  const rows = [{ ...row, cron: "0 4 * * *" }];
  expect(compare({ rows }).changed).toMatchObject([
    { id: "sched_1", cron: "0 3 * * *", enabled: true, ownerId: "usr_ada", reach: "reads" },
  ]);
  const off = [{ ...row, cron: "0 4 * * *", enabled: false, next_at: null }];
  expect(compare({ rows: off }).changed).toMatchObject([
    { enabled: false, nextAt: null, ownerId: "usr_ada" },
  ]);
});

test("whoever changes one whose owner has lost their rights takes it over; a sync does not", () => {
  const rows = [
    { ...row, cron: "0 4 * * *", enabled: false, disabled_reason: "owner" as const, next_at: null },
  ];
  expect(compare({ rows }).changed).toMatchObject([
    { enabled: true, disabledReason: null, ownerId: "usr_bob", reach: "starts" },
  ]);
  const by = { origin: "fork", user_id: null, reach: "here" } as const;
  expect(compare({ rows, by }).changed).toMatchObject([
    { enabled: false, disabledReason: "owner", ownerId: "usr_ada", reach: "here" },
  ]);
});

test("what is listed no more goes, unless its file has errors", () => {
  expect(compare({ rows: [row], listed: [] })).toEqual({ ...none, removed: ["sched_1"] });
  expect(compare({ rows: [row], listed: [{ file: "a.yml", schedules: [] }] })).toEqual({
    ...none,
    removed: ["sched_1"],
  });
  expect(compare({ rows: [row], listed: [{ file: "a.yml", schedules: null }] })).toEqual(none);
  expect(compare({ rows: [row], listed: [{ file: "b.yml", schedules: null }] }).removed).toEqual(["sched_1"]);
});
