/** What becomes of texts of another host. */
import { expect, test } from "vitest";
import { importedText, importedTitle } from "@forgeline/server/domains/automation/imports/imported-text.ts";

test.each([
  ["Ask @octocat, or @acme/core.", "Ask `@octocat`, or `@acme/core`."],
  ["(@a) @b: @c", "(`@a`) `@b`: `@c`"],
  ["`@code` and\n```\n@fenced\n```\n@text", "`@code` and\n```\n@fenced\n```\n`@text`"],
  ["```\n@never closed", "```\n@never closed"],
  ["me@example.com https://host/@user [@x](y)", "me@example.com https://host/@user [@x](y)"],
  ["See !12 and #12, a!12", "See !12 and #12, a!12"],
  ["<!-- hidden --> a\0b", "<!-- hidden --> a\uFFFDb"],
])("%j of a host that numbers as we do", (before, after) => {
  expect(importedText(before, 0)).toEqual({ text: after, isCut: false });
});

test.each([
  ["See !12 and #12, (!1) group/tool!12 `!12`", "See !17 and #12, (!6) group/tool!12 `!12`"],
  ["!999999999999", "!999999999999"],
])("%j of one whose merge requests get other numbers", (before, after) => {
  expect(importedText(before, 5).text).toBe(after);
});

test("a text that is too long is cut, and leaves no half of a character", () => {
  const { text, isCut } = importedText(`${"x".repeat(65_535)}\u{1F600}`, 0);
  expect([text.length, isCut, text.isWellFormed()]).toEqual([65_535, true, true]);
});

test("texts that are meant to take long do not", () => {
  const started = performance.now();
  importedText("@a.-".repeat(250_000), 5);
  importedText("`".repeat(1_000_000), 5);
  importedText("@".repeat(1_000_000), 5);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("a title is one line, and is never empty", () => {
  expect(importedTitle(" a\u202Eb\n\tc ")).toBe("a b c");
  expect(importedTitle("\u200B")).toBe("(without a title)");
  expect(importedTitle("x".repeat(300))).toHaveLength(255);
});
