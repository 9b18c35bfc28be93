import { expect, it } from "vitest";
import { parseByteRange } from "@forgeline/server/platform/http/byte-range.ts";

it.each([
  [undefined, 10, "whole"],
  ["bytes=0-0", 10, { start: 0, end: 1 }],
  ["bytes=3-", 10, { start: 3, end: 10 }],
  ["bytes=3-99", 10, { start: 3, end: 10 }],
  ["bytes=-4", 10, { start: 6, end: 10 }],
  ["bytes=-99", 10, { start: 0, end: 10 }],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=5-4", 10, "whole"],
  ["bytes=0-1,3-4", 10, "whole"],
  ["lines=0-1", 10, "whole"],
  ["bytes=-", 10, "whole"],
])("%s of %i", (header, length, wanted) => {
  expect(parseByteRange(header, length)).toEqual(wanted);
});
