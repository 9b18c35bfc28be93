/** `Retry-After` of an endpoint, as it comes. */
import { expect, test } from "vitest";
import { askedWait } from "@forgeline/server/domains/automation/webhooks/asked-wait.ts";

const now = new Date("2026-11-27T00:00:00Z");
const responseOf = (status: number, header?: string) => ({
  status,
  headers: header === undefined ? {} : { "retry-after": header },
  body: Buffer.alloc(0),
  truncated: false,
});

test.each([
  [429, "120", 120_000],
  [503, " 7 ", 7_000],
  [503, "Fri, 27 Nov 2026 00:01:30 GMT", 90_000],
  [503, "Fri, 27 Nov 2026 00:00:00 GMT", 0],
  [503, "Thu, 26 Nov 2026 00:00:00 GMT", 0],
  [429, "99999999999999999999999", 3_600_000],
  [429, "-5", 0],
  [429, "soon", 0],
  [429, "", 0],
  [429, undefined, 0],
  [500, "120", 0],
  [204, "120", 0],
])("status %i with %j", (status, header, expected) => {
  expect(askedWait(responseOf(status, header), now)).toBe(expected);
});

test("nothing came", () => {
  expect(askedWait(undefined, now)).toBe(0);
});
