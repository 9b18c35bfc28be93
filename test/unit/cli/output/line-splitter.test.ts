import { expect, test } from "vitest";
import { createLineSplitter } from "@forgeline/cli/output/line-splitter.ts";

test("gives the same lines wherever the bytes are cut", () => {
  const text = "één\r\nzwei 漢字\n\nletzte ohne Ende";
  const bytes = new TextEncoder().encode(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const lines: string[] = [];
    const splitter = createLineSplitter((line) => lines.push(line));
    splitter.push(bytes.subarray(0, cut));
    splitter.push(bytes.subarray(cut));
    splitter.end();
    expect(lines).toEqual(["één", "zwei 漢字", "", "letzte ohne Ende"]);
  }
});
