import { matchesGlob, matchesGlobs } from "@forgeline/compiler/glob.ts";
import { expect, test } from "vitest";

test.each([
  ["main", "main", true],
  ["main", "Main", false],
  ["main", "mainly", false],
  ["release/*", "release/1", true],
  ["release/*", "release/1/2", false],
  ["release/**", "release/1/2", true],
  ["*", "", true],
  ["*", "a/b", false],
  ["**", "a/b", true],
  ["**/x.ts", "x.ts", true],
  ["**/x.ts", "a/b/x.ts", true],
  ["**/x.ts", "ax.ts", false],
  ["**/b", "ab", false],
  ["src/**/x", "src/x", true],
  ["src/**/x", "src/a/b/x", true],
  ["src/**/x", "srcx", false],
  ["src/**", "src/a/b.ts", true],
  ["src/**", "src", false],
  ["a?c", "abc", true],
  ["a?c", "a/c", false],
  ["a\\*c", "a*c", true],
  ["a\\*c", "abc", false],
  ["v*.*", "v1.2", true],
  ["*.{ts,js}", "a.ts", false],
  ["é*", "été", true],
])("%s on %j: %s", (pattern, text, expected) => {
  expect(matchesGlob(pattern, text)).toBe(expected);
});

test("lists: some positive pattern, and no excluding one, in any order", () => {
  expect(matchesGlobs(["release/*", "!release/old"], "release/new")).toBe(true);
  expect(matchesGlobs(["!release/old", "release/*"], "release/old")).toBe(false);
  expect(matchesGlobs(["!wip/**"], "main")).toBe(true);
  expect(matchesGlobs(["!wip/**"], "wip/a/b")).toBe(false);
  expect(matchesGlobs([], "main")).toBe(false);
});

test("patterns that make backtracking matchers explode end at once", () => {
  expect(matchesGlob("*a".repeat(100), "a".repeat(2000) + "b")).toBe(false);
  expect(matchesGlob("**/".repeat(50) + "x", "a/".repeat(1000))).toBe(false);
});
