import { expect, test } from "vitest";
import { countTokens, memberTokens, memberAndValueTokens } from "@forgeline/server/platform/json-tokens.ts";

const isMore = (text: string, max: number) =>
  countTokens(Buffer.from(text), memberTokens, max) > Math.max(0, max);

test.each([
  ["", 0],
  ["1", 0],
  ["{}", 1],
  ['{"a":1,"b":[2,3]}', 4],
  ["[[[[", 4],
  ['{"a":",[{,[{"}', 1],
  [String.raw`{"a":"\",[{\\","b":1}`, 2],
  [String.raw`["\\",","]`, 2],
  ['["never ends,,,', 1],
  [String.raw`["never ends\",,,`, 1],
])("%j has %i members", (text, count) => {
  expect(countTokens(Buffer.from(text), memberTokens, 1_000)).toBe(count);
  expect([count - 1, count].map((max) => isMore(text, max))).toEqual([count > 0, false]);
});

test("counts what JSON.parse makes", () => {
  const count = (value: unknown): number =>
    typeof value !== "object" || value === null
      ? 0
      : Math.max(1, Object.values(value).length) +
        Object.values(value).reduce((sum: number, each) => sum + count(each), 0);
  const value = { "a,[": ['\\"', "\\", "x"], b: { c: [], d: ["é,", { e: 1 }] } };
  expect(isMore(JSON.stringify(value), count(value))).toBe(false);
  expect(isMore(JSON.stringify(value), count(value) - 1)).toBe(true);
});

test("counts each value of a field by itself where that is asked for", () => {
  expect(countTokens(Buffer.from('{"a:":1,"b":[2,":"]}'), memberAndValueTokens, 1_000)).toBe(6);
});
