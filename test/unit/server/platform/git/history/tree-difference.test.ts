import { describe, expect, it } from "vitest";
import { directoriesAbove } from "@forgeline/server/platform/git/history/attributes-of-paths.ts";
import { withRenames } from "@forgeline/server/platform/git/history/listed-changes.ts";
import {
  treeDifference,
  type DifferenceLimits,
  type FileSide,
} from "@forgeline/server/platform/git/history/tree-difference.ts";

type Entry = [mode: string, name: string, oid: string];

const wide: DifferenceLimits = { files: 100, trees: 100, treeBytes: 10_000, pathLength: 10_000 };
const id = (digit: string) => digit.repeat(40);

function treesOf(trees: Record<string, Entry[]>) {
  const bytesOf = (oid: string) =>
    Buffer.concat(
      trees[oid[0]!]!.flatMap(([mode, name, digit]) => [
        Buffer.from(`${mode} ${name}\0`),
        Buffer.from(id(digit), "hex"),
      ]),
    );
  return {
    sizeOf: (oid: string) => Promise.resolve(bytesOf(oid).length),
    read: (oid: string) => Promise.resolve(bytesOf(oid)),
  };
}

const side = (digit: string, mode = "100644", kind: FileSide["kind"] = "file") => ({
  oid: id(digit),
  mode,
  kind,
});

describe("the difference of two trees", () => {
  const trees = treesOf({
    a: [
      ["100644", "gone", "1"],
      ["100644", "same", "2"],
      ["40000", "dir", "c"],
      ["100644", "shape", "3"],
      ["100644", "run", "4"],
    ],
    b: [
      ["100644", "same", "2"],
      ["40000", "dir", "d"],
      ["40000", "shape", "c"],
      ["100755", "run", "4"],
      ["120000", "link", "5"],
      ["160000", "module", "6"],
    ],
    c: [["100644", "x", "7"]],
    d: [["100644", "x", "8"]],
  });

  it("has both sides of each file, by path", async () => {
    const found = await treeDifference(trees, { before: id("a"), after: id("b") }, wide);
    expect(found.more).toBe(false);
    expect(found.files).toEqual([
      { path: "dir/x", before: side("7"), after: side("8") },
      { path: "gone", before: side("1"), after: null },
      { path: "link", before: null, after: side("5", "120000", "symlink") },
      { path: "module", before: null, after: side("6", "160000", "submodule") },
      { path: "run", before: side("4"), after: side("4", "100755") },
      { path: "shape", before: side("3"), after: null },
      { path: "shape/x", before: null, after: side("7") },
    ]);
  });

  it.each([
    ["files", { files: 2 }],
    ["trees", { trees: 1 }],
    ["bytes", { treeBytes: 10 }],
    ["paths", { pathLength: 10 }],
  ])("ends at the limit of %s, and says so", async (_what, limit) => {
    const found = await treeDifference(trees, { before: id("a"), after: id("b") }, { ...wide, ...limit });
    expect(found.more).toBe(true);
    expect(found.files.length).toBeLessThan(7);
  });

  it("is nothing for one tree", async () => {
    const found = await treeDifference(trees, { before: id("a"), after: id("a") }, wide);
    expect(found).toEqual({ files: [], more: false });
  });
});

it("a renamed file stands for one that was deleted and one that was added", () => {
  const [one, other] = [side("1"), side("2")];
  const files = [
    { path: "a", before: one, after: null },
    { path: "b", before: null, after: other },
    { path: "c", before: null, after: one },
  ];
  expect(withRenames(files, new Map([["b", "a"]]))).toEqual([
    { path: "b", previousPath: "a", before: one, after: other },
    { path: "c", previousPath: null, before: null, after: one },
  ]);
});

it("the directories above some paths are each there once, those at the top first", () => {
  expect(directoriesAbove(["a/b/c.txt", "a/d.txt", "e.txt"])).toEqual(["", "a/", "a/b/"]);
  const deep = directoriesAbove([`${"x/".repeat(2_000)}y`]);
  expect([deep.length, deep[2]]).toEqual([1_000, "x/x/"]);
});
