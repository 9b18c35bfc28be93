import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { renderList, renderTable } from "@forgeline/cli/output/table.ts";

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

test("leaves milliseconds of times to programs", () => {
  const rows = [["next 2026-11-28T05:00:00.000Z"]];
  expect(renderTable(["A"], rows, true)).toContain("\nnext 2026-11-28T05:00:00Z");
  expect(renderTable(["A"], rows, false)).toBe("next 2026-11-28T05:00:00.000Z");
});

test("an empty list is told to people only", () => {
  const { isTTY } = process.stdout;
  try {
    process.stdout.isTTY = true;
    expect(renderList("mirrors", ["A"], [])).toBe("No mirrors.");
    process.stdout.isTTY = false;
    expect(renderList("mirrors", ["A"], [])).toBe("");
  } finally {
    process.stdout.isTTY = isTTY;
  }
});

test("keeps what others wrote in its cell", () => {
  expect(renderTable(["A", "B"], [["a\tb\nc\u001b[2J", "1"]], false)).toBe("a b␊c␛[2J\t1");
  expect(renderTable(["A", "B"], [["a\tb\nc\u001b[2J", "1"]], true)).toContain("\na b␊c␛[2J  1");
});
