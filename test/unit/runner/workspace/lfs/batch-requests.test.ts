import { expect, it } from "vitest";
import { inBatchRequests } from "@forgeline/runner/workspace/lfs/batch-requests.ts";

const mebibytes = (count: number) => ({ sizeBytes: count * 1024 * 1024 });
const shape = (sizes: number[]) =>
  inBatchRequests(sizes.map(mebibytes)).map((some) => some.map(({ sizeBytes }) => sizeBytes / 1024 / 1024));

it("asks for a hundred objects at a time", () => {
  const sizes = Array.from({ length: 201 }, () => 0);
  expect(shape(sizes).map((some) => some.length)).toEqual([100, 100, 1]);
});

it("asks for as many as 256 MiB at a time, and for a larger one alone", () => {
  expect(shape([200, 56, 1])).toEqual([[200, 56], [1]]);
  expect(shape([1, 300, 2, 3])).toEqual([[1], [300], [2, 3]]);
  expect(shape([300])).toEqual([[300]]);
  expect(shape([])).toEqual([]);
});
