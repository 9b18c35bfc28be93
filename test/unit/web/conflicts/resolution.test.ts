/** What is left to decide about files that conflict, and what is sent of what was decided. */
import { expect, test } from "vitest";
import {
  leftIn,
  pick,
  resolutions,
  textOf,
  unresolved,
  type Answer,
  type ConflictFile,
  type Piece,
} from "../../../../web/src/features/conflicts/resolution.ts";

const pieces: Piece[] = [
  { type: "conflict", source: "a", base: "", target: "b\n" },
  { type: "context", text: "c\n" },
  { type: "conflict", source: "", base: "d\n", target: "e\n" },
];
const file = (path: string): ConflictFile => ({
  path,
  kind: "content",
  editable: true,
  choices: ["content"],
  source: null,
  target: null,
  base: null,
});

test("picks of all conflicts are the text; one may be changed", () => {
  const first = pick(pieces, undefined, [0, "both"]);
  expect(first).toMatchObject({ way: "picks", left: 1, text: undefined });
  const both = pick(pieces, first, [2, "source"]);
  expect(both).toMatchObject({ left: 0, text: "a\nb\nc\n" });
  expect(pick(pieces, both, [2, "target"])).toMatchObject({ left: 0, text: "a\nb\nc\ne\n" });
});

test("what is not chosen has markers, with the names of the branches", () => {
  expect(textOf(pieces, new Map([[2, "target"]]), { source: "topic", target: "main" })).toBe(
    "<<<<<<< topic\na\n=======\nb\n>>>>>>> main\nc\ne\n",
  );
});

test.each<[Answer | undefined, number | undefined]>([
  [undefined, undefined],
  [{ way: "delete" }, 0],
  [{ way: "text", text: "Heading\n=======\n", ends: "\n" }, 0],
  [{ way: "text", text: "<<<<<<< a\n=======\n>>>>>>> b\n<<<<<<< a\n", ends: "\n" }, 2],
  [{ way: "text", text: ">>>>>>> b\n", ends: "\n" }, 1],
])("of %j %j are left", (answer, left) => {
  expect(leftIn(answer)).toBe(left);
});

test("each file is sent as it was decided, and those that are not are named", () => {
  const files = ["a", "b", "c", "__proto__"].map(file);
  const answers = new Map<string, Answer>([
    ["a", { way: "target" }],
    ["b", { way: "delete" }],
    ["c", { way: "text", text: "x\ny\n", ends: "\r\n" }],
  ]);
  expect(unresolved(files, answers).map(({ path }) => path)).toEqual(["__proto__"]);
  expect(resolutions(files, answers)).toEqual([
    { path: "a", take: "target" },
    { path: "b", delete: true },
    { path: "c", content: "x\r\ny\r\n" },
  ]);
});
