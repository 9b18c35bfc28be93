/** What a thread shows of the change it is about. */
import { expect, it } from "vitest";
import {
  excerptOfLines,
  excerptOfPatch,
  maxExcerptBytes,
} from "@forgeline/server/domains/collaboration/reviews/excerpt.ts";

const patch = [
  "@@ -1,3 +1,4 @@",
  " one",
  "-two",
  "+TWO",
  "+more",
  " three",
  "@@ -20,2 +21,1 @@ where",
  " twenty",
  "-twenty-one",
  "\\ No newline at end of file",
].join("\n");

it.each([
  ["new", 1, " one"],
  ["new", 2, " one\n-two\n+TWO"],
  ["new", 4, " one\n-two\n+TWO\n+more\n three"],
  ["new", 21, " twenty"],
  ["old", 2, " one\n-two"],
  ["old", 3, " one\n-two\n+TWO\n+more\n three"],
  ["old", 21, " twenty\n-twenty-one"],
  ["new", 10, ""],
  ["old", 22, ""],
] as const)("shows the %s line %i with what is before it", (side, line, shown) => {
  expect(excerptOfPatch(patch, { side, line })).toBe(shown);
});

it("shows ten lines, and four kibibytes", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const long = `@@ -0,0 +1,30 @@\n${lines.map((text) => `+${text}`).join("\n")}`;
  expect(excerptOfPatch(long, { side: "new", line: 30 }).split("\n")).toHaveLength(10);
  expect(excerptOfLines(lines, 12).split("\n").at(-1)).toBe(" line 12");
  for (const text of ["x".repeat(10_000), "€".repeat(10_000)]) {
    const shown = excerptOfLines([text, text], 2);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(maxExcerptBytes);
    expect(shown.length).toBeGreaterThan(1_000);
  }
});
