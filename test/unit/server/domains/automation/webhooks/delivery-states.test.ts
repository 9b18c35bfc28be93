/** The states of a delivery, and the waits between attempts. */
import { expect, test } from "vitest";
import {
  deliveryStates,
  seriesMs,
  waitAfter,
} from "@forgeline/server/domains/automation/webhooks/delivery-states.ts";

test("attempts come after 5 s, doubling up to an hour, some thirty in a day", () => {
  const waits = Array.from({ length: 40 }, (_, failures) => waitAfter(failures + 1, 5_000));
  expect(waits.slice(0, 11)).toEqual(
    [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600].map((s) => s * 1000),
  );
  expect(new Set(waits.slice(10))).toEqual(new Set([3_600_000]));
  let total = 0;
  const attempts = 1 + waits.filter((wait) => (total += wait) < seriesMs).length;
  expect(attempts).toBe(33);
});

test("only what waits can be accepted, refused or given up; everything can be sent once more", () => {
  for (const event of ["accept", "refuse", "expire"] as const)
    expect(deliveryStates.sources(event)).toEqual(["pending", "retrying"]);
  expect(deliveryStates.sources("redeliver")).toEqual([...deliveryStates.states]);
  expect(deliveryStates.next("delivered", "accept")).toBeUndefined();
});
