import { describe, expect, it } from "vitest";
import { decodeLogFrame, encodeLogFrame, type LogFrame } from "@forgeline/schemas/logs/frame.ts";

const frame: LogFrame = {
  channel: 4_294_967_295,
  offset: 2 ** 40 + 7,
  firstLine: 2 ** 33,
  rawLength: 5,
  compressed: true,
  timeRuns: [
    { lines: 1, timeMs: 1_763_692_800_123.5 },
    { lines: 3, timeMs: 0 },
  ],
  payload: new Uint8Array([1, 2, 3]),
};

describe("log frame", () => {
  it("decodes to what was encoded", () => {
    expect(decodeLogFrame(encodeLogFrame(frame))).toEqual(frame);
    const plain = { ...frame, compressed: false, timeRuns: [], payload: new Uint8Array(0), rawLength: 0 };
    expect(decodeLogFrame(encodeLogFrame(plain))).toEqual(plain);
  });

  it("has the layout that the protocol names", () => {
    const bytes = Buffer.from(encodeLogFrame({ ...frame, channel: 1, offset: 2, firstLine: 3 }));
    expect(bytes.subarray(0, 30).toString("hex")).toBe(
      "01" + "01" + "00000001" + "0000000000000002" + "0000000000000003" + "00000005" + "00000002",
    );
  });

  it("decodes a view into a larger buffer", () => {
    const bytes = Buffer.concat([Buffer.alloc(9), encodeLogFrame(frame)]);
    const decoded = decodeLogFrame(bytes.subarray(9));
    expect({ ...decoded, payload: new Uint8Array(decoded.payload) }).toEqual(frame);
  });

  it("refuses every cut inside header and times, other types, and too long frames", () => {
    const bytes = encodeLogFrame(frame);
    for (let length = 0; length < 30 + 24; length += 1)
      expect(() => decodeLogFrame(bytes.subarray(0, length))).toThrow(RangeError);
    expect(() => decodeLogFrame(bytes.with(0, 2))).toThrow("unknown binary frame type");
    expect(() => decodeLogFrame(encodeLogFrame({ ...frame, rawLength: 65_537 }))).toThrow("64 KiB");
  });

  it("does not believe a count of times that the frame cannot hold", () => {
    const bytes = Buffer.from(encodeLogFrame({ ...frame, rawLength: 65_536 }));
    bytes.writeUInt32BE(60_000, 26);
    expect(() => decodeLogFrame(bytes)).toThrow("cut");
  });
});
