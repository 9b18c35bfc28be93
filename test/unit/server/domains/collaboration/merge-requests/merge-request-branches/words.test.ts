import { expect, test } from "vitest";
import {
  nameOf,
  sayCherryPick,
  sayRevert,
} from "@forgeline/server/domains/collaboration/merge-requests/merge-request-branches/words.ts";

const merged = { number: 7, title: "Retry uploads", source_branch: "fix/retry", merge_sha: "a".repeat(40) };

test("a revert names what it undoes", () => {
  expect(sayRevert(merged)).toEqual({
    branch: "revert-7-fix-retry",
    message: `Revert "Retry uploads"\n\nThis reverts !7, which was merged as ${"a".repeat(40)}.\n`,
    title: 'Revert "Retry uploads"',
    description: "Reverts !7",
  });
});

test("a cherry-pick keeps the title in its commit, and names where it came from", () => {
  expect(sayCherryPick(merged, "release/1.2")).toEqual({
    branch: "cherry-pick-7-release-1-2",
    message: `Retry uploads (!7)\n\n(cherry picked from commit ${"a".repeat(40)})\n`,
    title: 'Cherry-pick "Retry uploads"',
    description: "Cherry-picks !7",
  });
});

test("names and titles stay short enough, and are never cut within a character", () => {
  const long = { ...merged, title: "x".repeat(229) + "🦀".repeat(10), source_branch: "é-".repeat(100) };
  const { branch, title } = sayRevert(long);
  expect(title).toBe(`Revert "${"x".repeat(229)}…"`);
  expect(branch).toBe(`revert-7-${"é-".repeat(30).slice(0, -1)}`);
  expect(sayRevert({ ...merged, source_branch: "~~" }).branch).toBe("revert-7-branch");
  expect([1, 2].map((at) => nameOf("revert-7-x", at))).toEqual(["revert-7-x", "revert-7-x-2"]);
});
