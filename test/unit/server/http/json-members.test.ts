import { expect, test } from "vitest";
import { hasMoreMembers } from "@forgeline/server/http/json-members.ts";

const isMore = (text: string, most: number) => hasMoreMembers(Buffer.from(text), most);

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
])("%j has %i members", (text, members) => {
  expect([members - 1, members].map((most) => isMore(text, most))).toEqual([members > 0, false]);
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
