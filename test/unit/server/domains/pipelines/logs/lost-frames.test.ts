import { expect, it } from "vitest";
import { countNewlines } from "@forgeline/server/domains/pipelines/logs/frame-bytes.ts";
import { lostFrames } from "@forgeline/server/domains/pipelines/logs/lost-frames.ts";

const segment = {
  startOffset: 1000,
  nextLine: 25,
  index: [
    { raw: 80, stored: 40, line: 10 },
    { raw: 30, stored: 20, line: 15 },
    { raw: 5, stored: 5, line: 22 },
  ],
};

it("keeps every offset and line number of what was lost, and says so once", () => {
  const frames = lostFrames(segment, 1000);
  expect(frames.map(({ offset, rawLength, firstLine }) => [offset, rawLength, firstLine])).toEqual([
    [1000, 80, 10],
    [1080, 30, 15],
    [1110, 5, 22],
  ]);
  expect(frames.map(({ payload }) => [payload.length, countNewlines(payload)])).toEqual([
    [80, 5],
    [30, 7],
    [5, 3],
  ]);
  const text = Buffer.concat(frames.map(({ payload }) => payload)).toString();
  expect(text.match(/this part of the log was lost/g)).toHaveLength(1);
});

it("begins with the frame that holds the offset, and never grows past what was there", () => {
  expect(lostFrames(segment, 1085).map(({ offset }) => offset)).toEqual([1080, 1110]);
  expect(lostFrames(segment, 1115)).toEqual([]);
  const [tiny] = lostFrames({ startOffset: 0, nextLine: 9, index: [{ raw: 3, stored: 9, line: 0 }] }, 0);
  expect(Buffer.from(tiny?.payload ?? []).toString()).toBe("\n\n\n");
});
