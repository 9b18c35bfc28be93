import { expect, it } from "vitest";
import { walFilesBetween } from "@forgeline/launcher/backup/wal-files.ts";

const mebibyte = 1024 * 1024;

it("counts on past the end of a part of the number", () => {
  expect(walFilesBetween("0000000100000000000000FE", "000000010000000100000001", 16 * mebibyte)).toEqual([
    "0000000100000000000000FE",
    "0000000100000000000000FF",
    "000000010000000100000000",
    "000000010000000100000001",
  ]);
  expect(
    walFilesBetween("000000010000000000000003", "000000010000000100000000", 1024 * mebibyte),
  ).toHaveLength(2);
});

it("one file is enough when the copy was quick", () => {
  const name = "000000020000000A000000FF";
  expect(walFilesBetween(name, name, 16 * mebibyte)).toEqual([name]);
});

it("refuses what cannot be", () => {
  const bad: [string, string][] = [
    ["000000010000000000000002", "000000010000000000000001"],
    ["000000010000000000000001", "000000020000000000000002"],
    ["", "000000010000000000000001"],
    ["000000010000000000000001.partial", "000000010000000000000001"],
  ];
  for (const [first, last] of bad)
    expect(() => walFilesBetween(first, last, 16 * mebibyte)).toThrow(/cannot lead|not the name/);
});
