import { describe, expect, it } from "vitest";
import { createPatchReader, type PatchLimits } from "@forgeline/server/platform/git/history/patch-output.ts";

const wide: PatchLimits = { bytes: 10_000, lines: 1_000, allBytes: 10_000 };

function read(output: string, limits: Partial<PatchLimits> = {}, { count = 3, isWhole = true } = {}) {
  const reader = createPatchReader({ ...wide, ...limits });
  for (const line of output.split("\n")) reader.onLine(Buffer.from(line));
  return reader.results(count, isWhole);
}

const header = (file: number) =>
  `diff --git a/00000${file} b/00000${file}\nindex 1..2 100644\n--- a/00000${file}\n+++ b/00000${file}`;
const small = (file: number) => `${header(file)}\n@@ -1 +1 @@ f(\n-old\n+new`;
const readSmall = { lines: { additions: 1, deletions: 1 }, patch: "@@ -1 +1 @@ f(\n-old\n+new" };
const unchanged = { lines: { additions: 0, deletions: 0 }, patch: "" };

describe("what Git prints about changed files", () => {
  it("is taken apart by file, without headers; what it does not mention did not change", () => {
    expect(read(`${small(0)}\n${small(2)}`)).toEqual([readSmall, unchanged, readSmall]);
    expect(read("")).toEqual([unchanged, unchanged, unchanged]);
  });

  it("has lines that look like headers", () => {
    const text =
      "@@ -1,2 +1,2 @@\n--- a/x\n+++ b/x\n+diff --git a/000001 b/000001\n \n\\ No newline at end of file";
    expect(read(`${header(0)}\n${text}`)[0]).toEqual({ lines: { additions: 2, deletions: 1 }, patch: text });
  });

  it("tells binary files and modes, and joins both halves of a change of type", () => {
    const binary = "diff --git a/000000 b/000000\nindex 1..2\nBinary files a/000000 and b/000000 differ";
    const mode = "diff --git a/000001 b/000001\nold mode 100644\nnew mode 100755";
    const type = `${header(2)}\n@@ -1 +0,0 @@\n-file\n${header(2)}\n@@ -0,0 +1 @@\n+target`;
    expect(read(`${binary}\n${mode}\n${type}`)).toEqual([
      { lines: null, patch: null },
      unchanged,
      { lines: { additions: 1, deletions: 1 }, patch: "@@ -1 +0,0 @@\n-file\n@@ -0,0 +1 @@\n+target" },
    ]);
  });

  it("is counted past each limit, but not kept; a patch that still fits is", () => {
    const long = `${header(1)}\n@@ -0,0 +1,3 @@\n+1\n+2\n+3333`;
    const output = `${small(0)}\n${long}\n${small(2)}`;
    const left = [readSmall, { lines: { additions: 3, deletions: 0 }, patch: null }, readSmall];
    expect(read(output, { lines: 3 })).toEqual(left);
    expect(read(output, { bytes: 26 })).toEqual(left);
    expect(read(output, { allBytes: 51 })).toEqual(left);
  });

  it("may end early: nothing is said of the file at which Git was, and of those behind it", () => {
    expect(read(`${small(0)}\n${header(1)}\n@@ -1 +1 @@\n-o`, {}, { count: 3, isWhole: false })).toEqual([
      readSmall,
      undefined,
      undefined,
    ]);
    expect(read("", {}, { count: 1, isWhole: false })).toEqual([undefined]);
  });
});
