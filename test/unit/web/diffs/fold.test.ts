import { describe, expect, it } from "vitest";
import {
  changedMode,
  estimatedRem,
  foldedAs,
  isImageChange,
  leavesLinesOut,
} from "../../../../web/src/features/diffs/fold.ts";
import type { FileDiff } from "../../../../web/src/features/diffs/source.ts";

const sha = "a".repeat(40);
const plain: FileDiff = {
  path: "src/a.ts",
  previous_path: null,
  status: "modified",
  kind: "file",
  sha,
  previous_sha: sha,
  mode: "100644",
  previous_mode: "100644",
  size: 1_000,
  previous_size: 1_000,
  additions: 1,
  deletions: 1,
  binary: false,
  lfs: false,
  generated: false,
  patch: "@@ -9,1 +9,1 @@\n-a\n+b",
  patch_omitted: null,
  patch_url: "",
  raw_url: "",
  previous_raw_url: "",
};
const file = (changes: Partial<FileDiff>): FileDiff => ({ ...plain, ...changes });

describe("a changed file", () => {
  it.for<[string | undefined, Partial<FileDiff>]>([
    [undefined, {}],
    ["deleted", { status: "deleted" }],
    ["generated", { generated: true }],
    ["lfs", { lfs: true, generated: true }],
    ["large", { additions: 300, deletions: 101 }],
    ["large", { patch: "x".repeat(60_001) }],
    ["large", { additions: null, deletions: null, patch: null, patch_omitted: "too_large" }],
    [undefined, { additions: 20, deletions: 0, patch: null, patch_omitted: "too_large" }],
    [undefined, { binary: true, additions: null, deletions: null, patch: null, patch_omitted: "binary" }],
    [undefined, { kind: "submodule", generated: true }],
  ])("is folded as %s: %o", ([folded, changes]) => {
    expect(foldedAs(file(changes))).toBe(folded);
  });

  it("is a picture where its bytes are in the repository", () => {
    expect(isImageChange(file({ path: "a.PNG", binary: true }))).toBe(true);
    expect(isImageChange(file({ path: "a.png", binary: true, lfs: true }))).toBe(false);
    expect(isImageChange(file({ path: "a.svg" }))).toBe(false);
    expect(isImageChange(file({ path: "a.bin", binary: true }))).toBe(false);
  });

  it("tells a mode that changed, of files that were there before and after", () => {
    expect(changedMode(file({ mode: "100755" }))).toEqual({ before: "100644", after: "100755" });
    expect(changedMode(file({}))).toBeNull();
    expect(changedMode(file({ previous_mode: null }))).toBeNull();
  });

  it("has further lines where they can be fetched", () => {
    expect(leavesLinesOut(plain)).toBe(true);
    expect(leavesLinesOut(file({ patch: "@@ -1 +1 @@\n-a\n+b" }))).toBe(false);
    expect(leavesLinesOut(file({ size: 6_000_000 }))).toBe(false);
    expect(leavesLinesOut(file({ raw_url: null }))).toBe(false);
  });

  it("is about as high as its lines", () => {
    const lines = (count: number) => file({ patch: "@@\n".repeat(count) });
    expect(estimatedRem(lines(200)) - estimatedRem(lines(100))).toBeCloseTo(122);
    expect(estimatedRem(file({ patch: null }))).toBe(estimatedRem(file({ generated: true })));
  });
});
