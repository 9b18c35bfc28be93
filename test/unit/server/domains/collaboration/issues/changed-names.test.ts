import { expect, test } from "vitest";
import { changedNames } from "@forgeline/server/domains/collaboration/issues/changed-names.ts";

test.each([
  [["a", "B"], undefined, undefined, undefined],
  [["a", "B"], ["c"], undefined, ["a", "B", "c"]],
  [["a", "B"], undefined, ["b", "x"], ["a"]],
  [["a::1", "b"], ["A::1", "a::2"], undefined, ["b", "A::1", "a::2"]],
  [["a"], ["b"], ["B"], ["a"]],
  [[], [], undefined, []],
])("%j with %j without %j is %j", (before, add, remove, after) => {
  expect(changedNames(before, { add, remove })).toEqual(after);
});
