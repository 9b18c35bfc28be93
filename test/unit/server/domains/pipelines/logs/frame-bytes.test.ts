import { zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  cutFrame,
  linesBegun,
  mergeFrames,
  rawBytes,
} from "@forgeline/server/domains/pipelines/logs/frame-bytes.ts";
import { frameOf, seeded } from "../../../../../support/log-frames.ts";
import { size } from "../../../../../support/size.ts";

function texts(): Buffer[] {
  const random = seeded(11);
  const made = Array.from({ length: size(12, 60) }, () =>
    Buffer.from(Array.from({ length: 1 + Math.floor(random() * 60) }, () => (random() < 0.3 ? 10 : 97))),
  );
  return [Buffer.from("\n"), Buffer.from("\n\n\n"), Buffer.from("a"), Buffer.from("a\n"), ...made];
}

/** Which lines begin, one by one: grouping into runs does not matter. */
const begun = (frame: ReturnType<typeof frameOf>) =>
  frame.timeRuns.flatMap((run) => Array<number>(run.lines).fill(run.timeMs));

describe("cutFrame", () => {
  it("equals the frame that a runner would have made from there on", () => {
    for (const text of texts())
      for (let start = 0; start < text.length; start += 3)
        for (let cut = start; cut < text.length; cut += 1) {
          const got = cutFrame(frameOf(text, start, text.length, cut % 2 === 0), cut);
          const wanted = frameOf(text, cut, text.length);
          expect(rawBytes(got)).toEqual(rawBytes(wanted));
          expect([got.offset, got.firstLine, begun(got)]).toEqual([cut, wanted.firstLine, begun(wanted)]);
        }
  });
});

describe("mergeFrames", () => {
  it("equals the frame over all of them", () => {
    for (const text of texts()) {
      const frames = [];
      for (let at = 0; at < text.length; at += 7)
        frames.push(frameOf(text, at, Math.min(text.length, at + 7), at % 2 === 0));
      const got = mergeFrames(frames);
      const wanted = frameOf(text, 0, text.length);
      expect(rawBytes(got)).toEqual(text);
      expect([got.offset, got.firstLine, begun(got)]).toEqual([0, 0, begun(wanted)]);
      expect(linesBegun(got.timeRuns)).toBe(linesBegun(wanted.timeRuns));
    }
  });
});

describe("rawBytes", () => {
  const text = Buffer.from("hello\n");
  it("refuses payloads that are not what the header says", () => {
    expect(() => rawBytes({ ...frameOf(text, 0, 6), rawLength: 5 })).toThrow(RangeError);
    expect(() => rawBytes({ ...frameOf(text, 0, 6, true), rawLength: 7 })).toThrow(RangeError);
    expect(() => rawBytes({ ...frameOf(text, 0, 6), compressed: true })).toThrow(RangeError);
  });
  it("never inflates past the limit of a frame", () => {
    const bomb = zstdCompressSync(Buffer.alloc(50_000_000));
    const frame = { ...frameOf(text, 0, 6, true), rawLength: 50_000_000, payload: bomb };
    expect(() => rawBytes(frame)).toThrow(RangeError);
  });
});
