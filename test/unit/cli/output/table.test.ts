import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { renderTable } from "@forgeline/cli/output/table.ts";

test("aligns columns by what is seen, not by escape sequences", () => {
  const lines = renderTable(
    ["A", "B"],
    [
      ["\u001b[32mok\u001b[39m", "1"],
      ["failed", "2"],
    ],
    true,
  ).split("\n");
  expect(stripVTControlCharacters(lines[1] ?? "")).toBe("ok      1");
  expect(lines[1]?.startsWith("\u001b[32mok\u001b[39m")).toBe(true);
  expect(lines[2]).toBe("failed  2");
});

test("is tab-separated without header and colours when piped", () => {
  expect(renderTable(["A", "B"], [["\u001b[32mok\u001b[39m", "1"]], false)).toBe("ok\t1");
});

test("keeps what others wrote in its cell", () => {
  expect(renderTable(["A", "B"], [["a\tb\nc\u001b[2J", "1"]], false)).toBe("a b␊c␛[2J\t1");
  expect(renderTable(["A", "B"], [["a\tb\nc\u001b[2J", "1"]], true)).toContain("\na b␊c␛[2J  1");
});
