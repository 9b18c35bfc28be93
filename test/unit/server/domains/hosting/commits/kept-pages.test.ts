/** What a page of changed files weighs, where it may be kept. */
import { expect, test } from "vitest";
import { bytesOfPage, type ComparedFile } from "@forgeline/server/domains/hosting/commits/kept-pages.ts";

function fileWith(patch: string | null, path = "a", previousPath: string | null = null): ComparedFile {
  const change = { path, previousPath, before: null, after: null };
  const facts = { sizeBefore: null, sizeAfter: null, isLfs: false, isGenerated: false };
  const shown = { additions: 1, deletions: 0, binary: false, patch, patch_omitted: null };
  return { file: { change, facts }, shown };
}

test("weighs its patches, and each file beside them", () => {
  const files = [fileWith("x".repeat(500)), fileWith(null)];
  expect(bytesOfPage({ files, isWhole: true })).toBe(3_004);
  const moved = fileWith(null, "n".repeat(4_000), "o".repeat(3_000));
  expect(bytesOfPage({ files: [moved], isWhole: true })).toBe(15_000);
});

test("is not kept where Git did not come to all of its files", () => {
  expect(bytesOfPage({ files: [fileWith("x")], isWhole: false })).toBe(Number.POSITIVE_INFINITY);
});
