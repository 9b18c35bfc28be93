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
  for (const error of [new PassingConflict("It is being merged."), new AppError("unavailable")])
    expect(refusalOf(error, 9_000)).toEqual({ problem: error.message, passing: true });
  expect([0, 59, 60, 120, 240, 480, 960].map((waited) => secondsOf(lasting, waited))).toEqual([
    60, 60, 60, 120, 240, 480, 600,
  ]);
});

test("some refusals end the wait", () => {
  const changed = new AppError("conflict", { extra: { conflicts: ["a.txt"] } });
  expect(refusalOf(changed, 0)).toEqual({ ends: "conflict" });
  expect(refusalOf(new AppError("forbidden"), 0)).toEqual({ ends: "access" });
});
