import { expect, test } from "vitest";
import { pathPatterns } from "@forgeline/runner/artifacts/patterns.ts";

const files = ["a.txt", "dist/a.js", "dist/b/c.js", "dist/b/c.map", "dist2/x", "src/dist/y", "src/a.test.ts"];

function matched(paths: string[], exclude: string[] = []): string[] {
  const patterns = pathPatterns(paths, exclude);
  return files.filter((file) => patterns.matches(file));
}

test.each<[string[], string[], string[]]>([
  [["dist"], [], ["dist/a.js", "dist/b/c.js", "dist/b/c.map"]],
  [["./dist/"], [], ["dist/a.js", "dist/b/c.js", "dist/b/c.map"]],
  [["dist/**"], [], ["dist/a.js", "dist/b/c.js", "dist/b/c.map"]],
  [["dist/*"], [], ["dist/a.js", "dist/b/c.js", "dist/b/c.map"]],
  [["dist/*.js"], [], ["dist/a.js"]],
  [["**/*.js"], [], ["dist/a.js", "dist/b/c.js"]],
  [["dist", "!dist/b/*.map"], [], ["dist/a.js", "dist/b/c.js"]],
  [["dist"], ["**/*.map"], ["dist/a.js", "dist/b/c.js"]],
  [["dist"], ["dist/b"], ["dist/a.js"]],
  [["**/dist"], [], ["dist/a.js", "dist/b/c.js", "dist/b/c.map", "src/dist/y"]],
  [["."], [], files],
  [["a.txt"], [], ["a.txt"]],
  [["a"], [], []],
])("%j without %j", (paths, exclude, expected) => {
  expect(matched(paths, exclude)).toEqual(expected);
});

test("a directory is looked into only if something below it can match", () => {
  const into = (paths: string[], exclude: string[], directory: string) =>
    pathPatterns(paths, exclude).mayHold(directory);
  expect(into(["packages/app/dist/**"], [], "packages")).toBe(true);
  expect(into(["packages/app/dist/**"], [], "packages/app/dist/x")).toBe(true);
  expect(into(["packages/app/dist/**"], [], "packages/web")).toBe(false);
  expect(into(["packages/*/dist"], [], "node_modules")).toBe(false);
  expect(into(["**/*.xml"], [], "node_modules")).toBe(true);
  expect(into(["**/*.xml"], ["node_modules"], "node_modules")).toBe(false);
});
