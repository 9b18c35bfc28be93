/** Which lines a comment proposes, and in place of which. */
import { expect, test } from "vitest";
import { suggestionsIn, type WrittenSuggestion } from "@forgeline/markdown/suggestions.ts";

const plain = (...lines: string[]): WrittenSuggestion => ({ around: null, lines });

test.each<[string, WrittenSuggestion[]]>([
  ["Better:\n\n```suggestion\na\n  b\n```\n\nThanks", [plain("a", "  b")]],
  ["```suggestion\r\na\r\n```\r\n", [plain("a")]],
  ["```suggestion\n```", [plain()]],
  ["```suggestion\n\n```", [plain("")]],
  ["~~~~ suggestion ruby\n```\n~~~~", [plain("```")]],
  ["```suggestion:-1+2\na\n```", [{ around: { above: 1, below: 2 }, lines: ["a"] }]],
  ["```suggestion\na\n```\nor\n```suggestion\nb\n```", [plain("a"), plain("b")]],
  ["- in a list\n  ```suggestion\n  a\n  ```", [plain("a")]],
  ["```suggestion:-101+0\na\n```", []],
  ["```suggestions\na\n```", []],
  ["```ts\n```suggestion\n```", []],
  ["a suggestion", []],
])("%j", (text, found) => {
  expect(suggestionsIn(text)).toEqual(found);
});

test("there are at most a hundred of them", () => {
  expect(suggestionsIn("```suggestion\na\n```\n".repeat(150))).toHaveLength(100);
});
