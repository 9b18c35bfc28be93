import { expect, it } from "vitest";
import {
  comparable,
  shownDiff,
  type DiffLimits,
} from "@forgeline/server/domains/hosting/commits/compare-page.ts";

const limits: DiffLimits = {
  patch: { bytes: 1, lines: 1, allBytes: 1 },
  fileBytes: 10,
  allFileBytes: 25,
  timeoutMs: 1,
};
const fileOf = (sizeBefore: number | null, sizeAfter: number | null) => ({
  change: { path: "a", previousPath: null, before: null, after: null },
  facts: { sizeBefore, sizeAfter, isLfs: false, isGenerated: false },
});

it("compares no file that is too large on either side, and no more than a page may cost", () => {
  const files = [
    fileOf(11, 1),
    fileOf(null, 10),
    fileOf(5, 5),
    fileOf(3, 3),
    fileOf(null, null),
    fileOf(5, null),
  ];
  expect(comparable(files, limits)).toEqual([false, true, true, false, true, true]);
});

it("says why there is no patch", () => {
  const lines = { additions: 1, deletions: 2 };
  expect(shownDiff(undefined)).toMatchObject({ additions: null, binary: false, patch_omitted: "too_large" });
  expect(shownDiff({ lines: null, patch: null })).toMatchObject({ binary: true, patch_omitted: "binary" });
  expect(shownDiff({ lines, patch: null })).toMatchObject({ additions: 1, patch_omitted: "too_large" });
  expect(shownDiff({ lines, patch: "" })).toEqual({
    ...lines,
    binary: false,
    patch: "",
    patch_omitted: null,
  });
});
