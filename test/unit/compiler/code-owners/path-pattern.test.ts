import {
  MatchingTooLong,
  matchesPath,
  readPattern,
  splitPath,
} from "@forgeline/compiler/code-owners/path-pattern.ts";
import { expect, test } from "vitest";

function matches(pattern: string, path: string): boolean {
  const read = readPattern(pattern);
  if ("message" in read) throw new Error(read.message);
  return matchesPath(read, splitPath(path), { steps: 1_000_000 });
}

// The examples of GitHub's page about code owners, and of the page of `.gitignore`.
test.each([
  ["*", "a", true],
  ["*", "a/b/c.ts", true],
  ["*.js", "a.js", true],
  ["*.js", "src/deep/a.js", true],
  ["*.js", "a.jsx", false],
  ["*.js", "pack.js/a.ts", true],
  ["/build/logs/", "build/logs/a/b.log", true],
  ["/build/logs/", "build/logs", false],
  ["/build/logs/", "x/build/logs/a", false],
  ["docs/*", "docs/getting-started.md", true],
  ["docs/*", "docs/build-app/troubleshooting.md", false],
  ["docs/*", "x/docs/a.md", false],
  ["apps/", "apps/a", true],
  ["apps/", "x/apps/a/b", true],
  ["apps/", "x/apps", false],
  ["/docs/", "docs/a/b", true],
  ["/docs/", "x/docs/a", false],
  ["/scripts/", "scripts/a.sh", true],
  ["**/logs", "build/logs", true],
  ["**/logs", "logs/a", true],
  ["**/logs", "deeply/nested/logs/a/b", true],
  ["**/logs", "mylogs", false],
  ["/apps/github", "apps/github", true],
  ["/apps/github", "apps/github/a", true],
  ["/apps/github", "apps/githubs", false],
  ["apps/github", "x/apps/github", false],
  ["Docs", "docs", false],
  ["docs", "a/docs/b", true],
  ["/*", "a", true],
  ["/*", "a/b", false],
  ["/**", "a/b", true],
  ["**", "a/b", true],
  ["src/**", "src/a/b", true],
  ["src/**", "src", false],
  ["src/**/x", "src/x", true],
  ["src/**/x", "src/a/b/x/y", true],
  ["src/**/x", "srcx", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/a**b", "src/a1b", true],
  ["src/a**b", "src/a/b", false],
  ["a?c", "abc", true],
  ["a?c", "a😀c", true],
  ["/a?c", "a/c", false],
  ["/f*.t?", "file.ts", true],
  ["\\#notes", "#notes", true],
  ["\\!important", "!important", true],
  ["my\\ file.txt", "my file.txt", true],
  ["\\*", "a", false],
  ["\\*", "*", true],
  ["/app/\\[id\\]/", "app/[id]/page.tsx", true],
  ["a\\\\/b", "a\\/b", true],
  ["été/*", "été/a", true],
])("%s on %s: %s", (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

test.each([
  ["!docs", 0, "docs"],
  ["src/[a-z].ts", 4, "src/\\[a-z\\].ts"],
  ["***/*.rb", 0, "**/*.rb"],
  ["a//b", 1, "a/b"],
  ["/", 0, "*"],
  ["./src", 0, "/src"],
  ["src/../x", 0, undefined],
  ["src\\", 3, "src"],
])("%s is refused at %i, with %s in its place", (pattern, at, suggestion) => {
  const read = readPattern(pattern);
  expect(read).toMatchObject(suggestion === undefined ? { at } : { at, suggestion });
});

test("a pattern that would be compared for long ends at its budget", () => {
  const pattern = readPattern(`/${"*a".repeat(1000)}b*`);
  if ("message" in pattern) throw new Error(pattern.message);
  const path = ["a".repeat(4000)];
  expect(() => matchesPath(pattern, path, { steps: 1000 })).toThrow(MatchingTooLong);
  expect(matchesPath(pattern, path, { steps: 100_000_000 })).toBe(false);
});
