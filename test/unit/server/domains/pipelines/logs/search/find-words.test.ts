import { describe, expect, test } from "vitest";
import { findLines, foldCase } from "@forgeline/server/domains/pipelines/logs/search/find-words.ts";
import { plainText } from "@forgeline/server/domains/pipelines/logs/search/plain-text.ts";

const words = (text: string) => ({ kind: "words", words: text }) as const;
const found = (text: string, wanted: string, limit = 100) => findLines(text, words(wanted), limit);

test("finds each line once, whatever its case, with the places of the words", () => {
  expect(found("first\nOne two ONE\r\nnothing\none", "one")).toEqual([
    {
      line: 1,
      text: "One two ONE",
      isCut: false,
      ranges: [
        { start: 0, end: 3 },
        { start: 8, end: 11 },
      ],
    },
    { line: 3, text: "one", isCut: false, ranges: [{ start: 0, end: 3 }] },
  ]);
});

test("finds words at both ends, and none that goes on in the next line", () => {
  expect(found("ab\nab\n", "ab").map(({ line }) => line)).toEqual([0, 1]);
  expect(found("a\nb\n", "ab")).toEqual([]);
  expect(found("", "a")).toEqual([]);
});

test("stops at the limit", () => {
  expect(found("x\n".repeat(50), "x", 7).map(({ line }) => line)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test("keeps each character where it was when it folds case", () => {
  // In lower case, the first of these characters is two.
  const text = "\u0130stanbul GRÜSSE";
  expect(foldCase(text)).toHaveLength(text.length);
  expect(found(text, "grüsse")[0]?.ranges).toEqual([{ start: 9, end: 15 }]);
});

test("cuts a long line around its first match, between characters", () => {
  const line = `${"😀".repeat(400)}needle${"y".repeat(5_000)}needle`;
  const [hit] = found(line, "NEEDLE");
  expect(hit?.isCut).toBe(true);
  expect(hit?.text.length).toBeLessThanOrEqual(501);
  const [range] = hit?.ranges ?? [];
  expect(hit?.text.slice(range?.start, range?.end)).toBe("needle");
  expect(hit?.text.isWellFormed()).toBe(true);
  expect(hit?.ranges).toHaveLength(1);
});

test("shows at most twenty places of one line", () => {
  expect(found("ab".repeat(100), "ab")[0]?.ranges).toHaveLength(20);
});

describe("escape sequences", () => {
  test.each([
    ["\u001b[31mred\u001b[0m", "red"],
    ["a\u001b[38;5;12mb\u001b[Kc", "abc"],
    ["\u001b]8;;https://example.org\u0007link\u001b]8;;\u001b\\ end", "link end"],
    ["\u009b1mbold", "bold"],
    ["\u001b(Bplain\u001b=", "plain"],
    ["\u001b]title without end\nnext", "\nnext"],
    ["\u001b", ""],
    ["\u001b\nx", "\nx"],
    ["\u001b[31\nx", "\nx"],
    ["plain", "plain"],
  ])("of %j leave %j", (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  test("do not hide words", () => {
    expect(found(plainText("fai\u001b[1mled\u001b[0m"), "failed")).toHaveLength(1);
  });

  test("never take in a newline, and need no more time when they are hostile", () => {
    const hostile = `${"\u001b]".repeat(200_000)}\n${"\u001b[1;".repeat(200_000)}\n`;
    // A quadratic expression would need minutes.
    expect(plainText(hostile).split("\n")).toHaveLength(3);
  });
});
