import { expect, test } from "vitest";
import { cappedParts } from "@forgeline/runner/logs/log-cap.ts";

test.each([
  ["at the end of a line", 0, 7, ""],
  ["within a line", 5, 6, "\n"],
])(
  "a head that ends %s: the gap counts whole lines, and its marker is a line",
  (_where, column, lines, before) => {
    const head = { masked: 100, line: 4, column };
    const capped = cappedParts({ head, tail: { masked: 170, line: 11 }, fileBytes: 200 });
    expect([capped.bytes, capped.lines]).toEqual([70, lines]);
    const marker = `${before}[forgeline: 70 bytes, ${lines} lines left out; the log is over its limit]\n`;
    expect(capped.marker.toString()).toBe(marker);
    const sent = capped.parts.map(({ start, length, fileStart }) => [start, length, fileStart]);
    expect(sent).toEqual([
      [0, 100, 0],
      [100, marker.length, null],
      [100 + marker.length, 30, 170],
    ]);
    // The tail's first line is the one after the marker.
    expect(11 + (capped.parts[2]?.lineShift ?? 0)).toBe(4 + (column > 0 ? 2 : 1));
  },
);
