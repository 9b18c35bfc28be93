import { expect, it } from "vitest";
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import { createFrameBatch } from "@forgeline/server/edges/watch/batch.ts";
import { eventually } from "../../../../support/eventually.ts";
import { frameOf } from "../../../../support/log-frames.ts";

const text = Buffer.from("one\ntwo\nthree\nfour\n");
const places = (frames: LogFrame[]) => frames.map((frame) => [frame.offset, frame.rawLength]);

it("gives everything at once to few viewers", () => {
  const got: LogFrame[] = [];
  const batch = createFrameBatch(
    () => 3,
    (frame) => got.push(frame),
  );
  batch.add([frameOf(text, 0, 4)]);
  batch.add([frameOf(text, 4, 8)]);
  expect(places(got)).toEqual([
    [0, 4],
    [4, 4],
  ]);
});

it("gives the first at once to many, and what follows closely as one frame", async () => {
  const got: LogFrame[] = [];
  const batch = createFrameBatch(
    () => 1000,
    (frame) => got.push(frame),
  );
  batch.add([frameOf(text, 0, 4)]);
  batch.add([frameOf(text, 4, 8)]);
  batch.add([frameOf(text, 8, 14), frameOf(text, 14, 19)]);
  expect(places(got)).toEqual([[0, 4]]);
  await eventually(() => got.length > 1);
  expect(places(got)).toEqual([
    [0, 4],
    [4, 15],
  ]);
  expect(got[1]?.firstLine).toBe(1);
});

it("waits no longer once a frame is full, keeps gaps, and forgets when told", () => {
  const got: LogFrame[] = [];
  const batch = createFrameBatch(
    () => 1000,
    (frame) => got.push(frame),
  );
  const big = Buffer.alloc(40_000, "x");
  batch.add([frameOf(text, 0, 4)]);
  batch.add([frameOf(text, 8, 14)]);
  batch.add([{ ...frameOf(big, 0, big.length), offset: 14 }]);
  batch.add([{ ...frameOf(big, 0, big.length), offset: 14 + big.length }]);
  expect(places(got)).toEqual([
    [0, 4],
    [8, 40_006],
    [40_014, 40_000],
  ]);
  batch.add([{ ...frameOf(text, 0, 4), offset: 80_014 }]);
  batch.clear();
  batch.flush();
  expect(got.length).toBe(3);
});
