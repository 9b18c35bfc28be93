import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { splitLines, splitMarker } from "@forgeline/runner/logs/line-splitter.ts";

function split(parts: readonly string[], lineBytes: number): string {
  let column = 0;
  let out = "";
  let newlines = 0;
  for (const part of parts) {
    const step = splitLines(Buffer.from(part), column, lineBytes);
    column = step.column;
    newlines += step.newlines;
    out += step.out.toString();
  }
  expect(newlines).toBe(out.split("\n").length - 1);
  return out;
}

describe("long lines", () => {
  it("are cut at the limit and marked; a line of just the limit is not", () => {
    expect(split(["12345\n123456\n"], 5)).toBe(`12345\n12345${splitMarker.toString()}6\n`);
    expect(split(["12345", "\n"], 5)).toBe("12345\n");
    expect(split(["12345", "6"], 5)).toBe(`12345${splitMarker.toString()}6`);
  });

  it("are cut at the same places however the stream is cut", () => {
    for (let round = 0; round < 1000; round++) {
      const text = Array.from({ length: 60 }, () => (randomInt(9) === 0 ? "\n" : "x")).join("");
      const at = randomInt(text.length);
      expect(split([text.slice(0, at), text.slice(at)], 7)).toBe(split([text], 7));
      expect(split(text.split(""), 7)).toBe(split([text], 7));
    }
  });
});
