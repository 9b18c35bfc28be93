import { expect, test } from "vitest";
import { liesWithin } from "@forgeline/server/platform/network/address-ranges.ts";

test.each([
  ["10.1.0.0/16", true],
  ["10.0.0.0/8", true],
  ["10.9.9.9", true],
  ["192.0.2.7/32", true],
  ["fd00:1::/32", true],
  ["11.0.0.0/16", false],
  ["192.0.2.0/24", false],
  ["fe80::/16", false],
  ["fd00::/8", false],
])("%s lies within the ranges: %s", (range, expected) => {
  expect(liesWithin(range, ["10.0.0.0/8", "192.0.2.7", "fd00::/16", "fd00:1::/32"])).toBe(expected);
});
