/** What ends the wait for merging by itself, and what does not: one row for each case. */
import { expect, test } from "vitest";
import {
  reasonToEnd,
  type AutoMergeStanding,
} from "@forgeline/server/domains/collaboration/merge-requests/auto-merge/reason-to-end.ts";

const usual: AutoMergeStanding = {
  sha: null,
  target_branch: "main",
  head_sha: "b",
  target_now: "main",
  is_own: true,
  writes: false,
};
const foreign = { is_own: false };

test.each<[string, Partial<AutoMergeStanding>, string, string | undefined]>([
  ["an edit", {}, "edited", undefined],
  ["it is closed", {}, "closed", "closed"],
  ["another target", { target_now: "stable" }, "edited", "target_changed"],
  ["a push to a branch here", {}, "synchronized", undefined],
  ["a push, although one head alone was meant", { sha: "a" }, "synchronized", "head_moved"],
  ["an edit of the head that is meant", { sha: "b" }, "edited", undefined],
  [
    "a push to a fork by somebody who may write here",
    { ...foreign, writes: true },
    "synchronized",
    undefined,
  ],
  ["a push to a fork by somebody else", foreign, "synchronized", "foreign_push"],
  ["an edit of one from a fork", foreign, "edited", undefined],
])("%s", (_, standing, action, reason) => {
  expect(reasonToEnd({ ...usual, ...standing }, action)).toBe(reason);
});
