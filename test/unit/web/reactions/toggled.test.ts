import { expect, test } from "vitest";
import { toggled } from "../../../../web/src/features/reactions/toggled.ts";

const none = { "+1": 0, "-1": 0, laugh: 0, hooray: 0, confused: 0, heart: 0, rocket: 0, eyes: 0 };

test("one's own reaction is added once and taken back", () => {
  const before = { ...none, heart: 2, total_count: 2, viewer: [] };
  const after = toggled(before, "heart");
  expect(after).toEqual({ ...none, heart: 3, total_count: 3, viewer: ["heart"] });
  expect(toggled(after, "heart")).toEqual(before);
});
