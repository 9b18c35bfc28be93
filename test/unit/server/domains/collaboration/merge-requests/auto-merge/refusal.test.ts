import { expect, test } from "vitest";
import { AppError } from "../../../../../../../server/platform/app-error.ts";
import { refusalOf } from "../../../../../../../server/domains/collaboration/merge-requests/auto-merge/refusal.ts";
import { PassingConflict } from "../../../../../../../server/domains/collaboration/merge-requests/passing-conflict.ts";

test("what passes is tried again soon, and what lasts ever later", () => {
  const lasting = new AppError("conflict", { message: "It cannot be moved forward." });
  const secondsOf = (error: AppError, waited: number) => {
    const refusal = refusalOf(error, waited);
    return "seconds" in refusal && refusal.seconds;
  };
  expect(secondsOf(new PassingConflict("It is being merged."), 9_000)).toBe(2);
  const unavailable = new AppError("unavailable");
  expect([0, 4, 9_000].map((waited) => secondsOf(unavailable, waited))).toEqual([2, 4, 60]);
  expect([0, 3, 60, 120, 960].map((waited) => secondsOf(lasting, waited))).toEqual([2, 3, 60, 120, 600]);
});

test("some refusals end the wait", () => {
  const changed = new AppError("conflict", { extra: { conflicts: ["a.txt"] } });
  expect(refusalOf(changed, 0)).toEqual({ ends: "conflict" });
  expect(refusalOf(new AppError("forbidden"), 0)).toEqual({ ends: "access" });
});
