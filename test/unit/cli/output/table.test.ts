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
  expect(lines[1]).toBe("\u001b[32mok\u001b[39m      1");
  expect(lines[2]).toBe("failed  2");
});

test("is tab-separated without header and colours when piped", () => {
  expect(renderTable(["A", "B"], [["\u001b[32mok\u001b[39m", "1"]], false)).toBe("ok\t1");
});
