import { describe, expect, it } from "vitest";
import {
  anchorOf,
  fileId,
  hashBetween,
  holdsNumber,
  lineId,
  linesName,
} from "../../../../web/src/features/diffs/anchors.ts";
import { gapsOf, gapWith, openGap } from "../../../../web/src/features/diffs/gaps.ts";
import { pairLines } from "../../../../web/src/features/diffs/pair-lines.ts";
import { inChunks } from "../../../../web/src/features/diffs/line-chunks.ts";
import { parsePatch, type PatchLine } from "../../../../web/src/features/diffs/parse-patch.ts";

const patch = [
  "@@ -5,4 +5,5 @@ function one() {",
  " a",
  "-b",
  "+B",
  "+c",
  " d",
  " e",
  "@@ -30,2 +31,0 @@",
  "-y",
  "-z",
  "\\ No newline at end of file",
].join("\n");

describe("a patch", () => {
  it("is read with the extent of each hunk on both sides", () => {
    const [first, second] = parsePatch(patch);
    expect(first).toMatchObject({
      within: "function one() {",
      before: { start: 5, end: 9 },
      after: { start: 5, end: 10 },
    });
    expect(first?.lines.map(({ before, after }) => [before, after])).toEqual([
      [5, 5],
      [6, null],
      [null, 6],
      [null, 7],
      [7, 8],
      [8, 9],
    ]);
    expect(second).toMatchObject({ before: { start: 30, end: 32 }, after: { start: 32, end: 32 } });
    expect(second?.lines.at(-1)).toEqual({
      kind: "removed",
      before: 31,
      after: null,
      text: "z",
      isUnended: true,
    });
    expect(parsePatch("")).toEqual([]);
  });

  it("stands side by side: what was removed and added at one place is paired in order", () => {
    const [hunk] = parsePatch(patch);
    const shown = pairLines(hunk?.lines ?? []).map(({ before, after }) => [before?.text, after?.text]);
    expect(shown).toEqual([
      ["a", "a"],
      ["b", "B"],
      [undefined, "c"],
      ["d", "d"],
      ["e", "e"],
    ]);
    const apart = parsePatch("@@ -1,2 +1,2 @@\n+new\n-old\n+newer\n-older").flatMap(({ lines }) =>
      pairLines(lines),
    );
    expect(apart.map(({ before, after }) => [before?.text, after?.text])).toEqual([
      [undefined, "new"],
      ["old", "newer"],
      ["older", undefined],
    ]);
  });
});

describe("lines that a patch leaves out", () => {
  const hunks = parsePatch(patch);
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);

  it("are before, between and after its hunks", () => {
    expect(gapsOf(hunks, 40)).toEqual([
      { before: 1, after: 1, count: 4 },
      { before: 9, after: 10, count: 22 },
      { before: 32, after: 32, count: 9 },
    ]);
    expect(gapsOf(parsePatch("@@ -1,3 +1,4 @@\n+x\n a\n b\n c")).at(-1)?.count).toBeNull();
    expect(gapsOf(parsePatch("@@ -1,2 +1,3 @@\n+x\n a\n b")).at(-1)?.count).toBe(0);
    expect(gapsOf(parsePatch("@@ -0,0 +1,2 @@\n+a\n+b")).map(({ count }) => count)).toEqual([0, 0]);
    expect(gapsOf([])).toEqual([{ before: 1, after: 1, count: 0 }]);
  });

  it("are opened from either end, with their numbers on both sides", () => {
    const gap = { before: 9, after: 10, count: 22 };
    const { top, rest, bottom } = openGap(gap, { top: 2, bottom: 1 }, lines);
    expect(top).toEqual([
      { kind: "context", before: 9, after: 10, text: "line 10" },
      { kind: "context", before: 10, after: 11, text: "line 11" },
    ]);
    expect(rest).toBe(19);
    expect(bottom).toEqual([{ kind: "context", before: 30, after: 31, text: "line 31" }]);
    expect(openGap(gap, { top: 20, bottom: 20 }, lines)).toMatchObject({ rest: 0, bottom: { length: 2 } });
    expect(openGap(gap, { top: 20, bottom: 20 }, undefined)).toEqual({ top: [], rest: 22, bottom: [] });
  });

  it("are opened as far as a line that an address names", () => {
    const gaps = gapsOf(hunks, 40);
    expect(gapWith(gaps, "R", 11)).toEqual({ index: 1, opened: { top: 21, bottom: 0 } });
    expect(gapWith(gaps, "L", 29)).toEqual({ index: 1, opened: { top: 0, bottom: 22 } });
    expect(gapWith(gaps, "R", 6)).toBeUndefined();
    expect(gapWith([{ before: 1, after: 1, count: null }], "R", 9_000)).toBeUndefined();
  });
});

it("long hunks are drawn in chunks, cut where nothing changed", () => {
  const linesOf = (kind: "context" | "added", count: number) =>
    Array.from({ length: count }, (_, at) => ({ kind, before: null, after: at + 1, text: "" }));
  const sizes = (lines: PatchLine[]) => inChunks(lines).map((chunk) => chunk.length);
  expect(sizes([])).toEqual([]);
  expect(sizes(linesOf("context", 450))).toEqual([200, 200, 50]);
  expect(sizes([...linesOf("context", 150), ...linesOf("added", 300), ...linesOf("context", 3)])).toEqual([
    450, 3,
  ]);
  expect(sizes(linesOf("added", 4_500))).toEqual([2_000, 2_000, 500]);
});

describe("addresses of files and lines", () => {
  it.for(["src/main.ts", "a b/<img src=x>:R3#%2F?.txt", "ö/😀"])("name %s", (path) => {
    expect(anchorOf(`#${fileId(path)}`)).toEqual({ path });
    expect(anchorOf(`#${lineId(path, "R", 12)}`)).toEqual({ path, line: { side: "R", number: 12 } });
    const several = hashBetween(`#${lineId(path, "R", 12)}`, `#${lineId(path, "R", 9)}`);
    const line = { side: "R", number: 9, last: 12 } as const;
    expect(anchorOf(several)).toEqual({ path, line });
    expect([8, 9, 12, 13, null].map((number) => holdsNumber(linesName(line), "R", number))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
    const otherSide = `#${lineId(path, "L", 9)}`;
    expect(hashBetween(several, otherSide)).toBe(otherSide);
    expect(anchorOf("#diff-a:R7-R5")).toEqual({ path: "a", line: { side: "R", number: 5, last: 7 } });
    expect(anchorOf("#diff-a:R1-R999999999")?.line?.last).toBe(1_000);
    expect(anchorOf("#diff-a:R1-L2")).toBeUndefined();
  });

  it("are nothing else", () => {
    for (const hash of ["", "#L4", "#diff-", "#diff-a:R0", "#diff-a:X1", "#diff-%E0%A4%A"])
      expect(anchorOf(hash)).toBeUndefined();
  });
});
