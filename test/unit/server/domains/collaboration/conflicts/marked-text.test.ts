/** Conflict markers: as they are written, and what is taken for one. */
import { expect, test } from "vitest";
import { markedText, markerLine } from "@forgeline/server/domains/collaboration/conflicts/marked-text.ts";

const names = { source: "topic", target: "main" };

test("a file has the names of the branches at its markers, and line ends as its lines have them", () => {
  const conflict = { type: "conflict" as const, source: "a\r\n", base: "", target: "b" };
  expect(markedText([{ type: "context", text: "x\r\n" }, conflict], names)).toBe(
    "x\r\n<<<<<<< topic\r\na\r\n||||||| base\r\n=======\r\nb\r\n>>>>>>> main\r\n",
  );
});

test.each([
  ["a\n<<<<<<< x\n", 2],
  [">>>>>>>\r\n", 1],
  ["a\nb\n|||||||", 3],
  ["Heading\n=======\n", undefined],
  ["<<<<<<<< eight\n x <<<<<<< y\n<<<<<<<word\n", undefined],
  ["", undefined],
])("%j has a marker in line %j", (text, line) => {
  expect(markerLine(text)).toBe(line);
});
