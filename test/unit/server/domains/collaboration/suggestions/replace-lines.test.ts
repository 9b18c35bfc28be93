/** Lines of a file are replaced, and nothing else of it. */
import { expect, test } from "vitest";
import {
  findOverlap,
  indexLines,
  readLines,
  replaceLines,
  type Replacement,
} from "@forgeline/server/domains/collaboration/suggestions/replace-lines.ts";

const at = (from: number, to: number, ...lines: string[]): Replacement => ({ from, to, lines });

test.each<[string, Replacement[], string]>([
  ["a\nb\nc\n", [at(2, 2, "x")], "a\nx\nc\n"],
  ["a\nb\nc\n", [at(1, 2, "x")], "x\nc\n"],
  ["a\nb\nc\n", [at(1, 1, "x", "y"), at(3, 3, "z")], "x\ny\nb\nz\n"],
  ["a\nb\nc\n", [at(3, 3, "z"), at(1, 1, "x", "y")], "x\ny\nb\nz\n"],
  ["a\nb\nc\n", [at(2, 3)], "a\n"],
  ["a\n", [at(1, 1)], ""],
  ["a\r\nb\r\n", [at(2, 2, "x", "y")], "a\r\nx\r\ny\r\n"],
  ["a\nb", [at(2, 2, "x", "y")], "a\nx\ny"],
  ["a\r\nb", [at(1, 2, "x", "y")], "x\r\ny"],
  ["a", [at(1, 1, "é", "")], "é\n"],
])("%j with %j", (before, replacements, after) => {
  expect(replaceLines(Buffer.from(before), replacements).toString()).toBe(after);
});

test("bytes of other lines stay as they are", () => {
  const before = Buffer.from([0xff, 0xfe, 0x0a, 0x61, 0x0a, 0xe9]);
  const after = replaceLines(before, [at(2, 2, "é")]);
  expect([...after]).toEqual([0xff, 0xfe, 0x0a, 0xc3, 0xa9, 0x0a, 0xe9]);
});

test.each<[number, number, string | undefined]>([
  [1, 1, "a\n"],
  [2, 3, "b\r\nc"],
  [3, 4, undefined],
  [0, 1, undefined],
  [2, 1, undefined],
])("lines %i to %i", (from, to, text) => {
  expect(readLines(indexLines(Buffer.from("a\nb\r\nc")), { from, to })?.toString()).toBe(text);
});

test("two that concern the same line are found", () => {
  expect(findOverlap([at(4, 6), at(1, 3)])).toBeUndefined();
  expect(findOverlap([at(3, 6), at(9, 9), at(1, 3)])).toEqual([at(1, 3), at(3, 6)]);
  expect(findOverlap([at(2, 2), at(2, 2)])).toEqual([at(2, 2), at(2, 2)]);
});
