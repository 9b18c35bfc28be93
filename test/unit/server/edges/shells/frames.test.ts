import { expect, test } from "vitest";
import {
  packFrames,
  parcelBytes,
  takeBatch,
  unpackFrames,
  type ShellFrame,
} from "@forgeline/server/edges/shells/frames.ts";

const frame = (length: number, isText = false): ShellFrame => ({ isText, bytes: Buffer.alloc(length, 7) });

test("frames come out of a parcel as they went in", () => {
  const frames = [frame(0), frame(3, true), frame(70_000)];
  expect(unpackFrames(packFrames(frames))).toEqual(frames);
  expect(unpackFrames(packFrames([]))).toEqual([]);
});

test("a parcel takes what fits, in order, and one frame at least", () => {
  const frames = [frame(parcelBytes * 2), frame(10), frame(parcelBytes - 20), frame(10, true)];
  expect(takeBatch(frames).map(({ bytes }) => bytes.length)).toEqual([parcelBytes * 2]);
  expect(takeBatch(frames).map(({ bytes }) => bytes.length)).toEqual([10, parcelBytes - 20]);
  expect(takeBatch(frames)).toEqual([frame(10, true)]);
  expect(frames).toEqual([]);
});
