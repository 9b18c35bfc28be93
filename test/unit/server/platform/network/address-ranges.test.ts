import { expect, test } from "vitest";
import { parseAddressRanges } from "@forgeline/server/platform/network/address-ranges.ts";

test("knows addresses and ranges of both families", () => {
  const { ranges, problem } = parseAddressRanges("10.1.0.0/16, 192.0.2.7,fd00::/8");
  expect(problem).toBeUndefined();
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "192.0.2.7", "fd12::1"])
    expect(ranges.contains(address)).toBe(true);
  for (const address of ["10.2.0.1", "192.0.2.8", "::1", "", "x"])
    expect(ranges.contains(address)).toBe(false);
});

test.each([
  "*",
  "0.0.0.0/0",
  "::/0",
  "10.0.0.0/7",
  "fd00::/4",
  "10.0.0.0/33",
  "10.0.0.0/8/8",
  "proxy.example",
  "10.0.0.0/x",
])("refuses %s", (list) => {
  expect(parseAddressRanges(`127.0.0.1,${list}`).problem).toContain(list);
});

test("an empty list contains nothing", () => {
  const { ranges } = parseAddressRanges("");
  expect([ranges.isEmpty, ranges.contains("127.0.0.1")]).toEqual([true, false]);
});
