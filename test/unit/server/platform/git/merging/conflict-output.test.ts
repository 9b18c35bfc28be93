/** What Git says of conflicts: paths as git-merge-tree lists them, and lines as git-merge-file marks them. */
import { expect, test } from "vitest";
import { parseMergeTree } from "@forgeline/server/platform/git/merging/list-conflicts.ts";
import { splitPieces, unusedMarkerSize } from "@forgeline/server/platform/git/merging/three-way-text.ts";

const oid = (digit: string) => digit.repeat(40);

test("entries of one path belong together, with what is said of it", () => {
  const odd = Buffer.from([0x61, 0x09, 0x0a, 0xe9]);
  const output = Buffer.concat([
    Buffer.from(
      `${oid("f")}\x00100644 ${oid("1")} 1\ta b\x00100755 ${oid("2")} 2\ta b\x00120000 ${oid("3")} 3\t`,
    ),
    odd,
    Buffer.from("\0\x002\0a b\0other\0CONFLICT (contents)\0CONFLICT: a\nb\n\x001\0a b\0Auto-merging\0x\n\0"),
  ]);
  expect(parseMergeTree(output)).toEqual({
    tree: oid("f"),
    conflicts: [
      {
        path: "a\t\n\ufffd",
        isText: false,
        base: null,
        ours: null,
        theirs: { mode: "120000", oid: oid("3") },
        types: [],
      },
      {
        path: "a b",
        isText: true,
        base: { mode: "100644", oid: oid("1") },
        ours: { mode: "100755", oid: oid("2") },
        theirs: null,
        types: ["CONFLICT (contents)", "Auto-merging"],
      },
    ],
  });
});

test("a clean merge has a tree and maybe words, but no conflicts", () => {
  expect(parseMergeTree(Buffer.from(`${oid("f")}\0`))).toEqual({ tree: oid("f"), conflicts: [] });
  const said = Buffer.from(`${oid("f")}\0\x001\0a\0Auto-merging\0Auto-merging a\n\0`);
  expect(parseMergeTree(said)).toEqual({ tree: oid("f"), conflicts: [] });
});

test("what nobody knows is an error, not a guess", () => {
  expect(() => parseMergeTree(Buffer.from(`${oid("f")}\x00100644 x 1\ta\0\0`))).toThrow("unknown");
  expect(() => parseMergeTree(Buffer.from(`${oid("f")}\0\0many\0`))).toThrow("unknown");
});

test("markers have a length that no line of the texts has", () => {
  expect(unusedMarkerSize([Buffer.from("a\n======\n")])).toBe(7);
  const text = "=======\n<<<<<<<< x\n|||||||||\n";
  expect(unusedMarkerSize([Buffer.from(text), Buffer.from("x")])).toBe(10);
});

test("pieces are the file, in order, and lines that only look like markers stay lines", () => {
  const merged = "a\n<<<<<<<< ours\n=======\nb\n|||||||| base\n========\nc\r\n>>>>>>>> theirs\nd";
  expect(splitPieces(merged, 8)).toEqual([
    { type: "context", text: "a\n" },
    { type: "conflict", ours: "=======\nb\n", base: "", theirs: "c\r\n" },
    { type: "context", text: "d" },
  ]);
});
