import { expect, test } from "vitest";
import { createGrowingWaits } from "../../../../server/platform/growing-waits.ts";

const bounds = { firstSeconds: 2, longestSeconds: 60, maxEntries: 2 };

test("waits double up to the longest, each key for itself, until it is forgotten", () => {
  const waits = createGrowingWaits(bounds);
  expect(Array.from({ length: 7 }, () => waits.next("a"))).toEqual([2, 4, 8, 16, 32, 60, 60]);
  expect(waits.next("b")).toBe(2);
  waits.forget("a");
  expect(waits.next("a")).toBe(2);
});

test("what failed longest ago makes room", () => {
  const waits = createGrowingWaits(bounds);
  for (const key of ["a", "b", "a", "c"]) waits.next(key);
  expect([waits.next("a"), waits.next("b")]).toEqual([8, 2]);
});
