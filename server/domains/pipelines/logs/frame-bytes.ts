/** The contents of a log frame: its raw bytes, and the part from an offset on. Pure. */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { maxLogFrameBytes, type LogFrame, type TimeRun } from "@forgeline/schemas/logs/frame.ts";

const newline = 10;
/** Below this, compressing costs more than it saves. */
const worthCompressing = 512;

/** Far above any limit of a step's log: what a runner sends beyond it is not a log. */
const maxStreamBytes = 1024 ** 3;
/** The largest time that `Date` can hold. */
const maxTimeMs = 8.64e15;

/** Throws `RangeError` for invalid numbers; one bad frame must not fail the write that it shares with others. */
export function assertSoundFrame(frame: LogFrame): void {
  if (frame.offset + frame.rawLength > maxStreamBytes) throw new RangeError("log stream is too long");
  if (!Number.isSafeInteger(frame.firstLine)) throw new RangeError("log frame has an impossible line number");
  if (linesBegun(frame.timeRuns) > frame.rawLength)
    throw new RangeError("log frame names more lines than bytes");
  for (const { timeMs } of frame.timeRuns)
    if (!(Math.abs(timeMs) <= maxTimeMs)) throw new RangeError("log frame has an impossible time");
}

/** Throws `RangeError` if the payload does not match the header; never inflates past the frame's limit. */
export function rawBytes(frame: LogFrame): Buffer {
  let raw: Buffer;
  if (frame.compressed) {
    try {
      raw = zstdDecompressSync(frame.payload, { maxOutputLength: maxLogFrameBytes });
    } catch (error) {
      throw new RangeError("log frame payload is not valid zstd", { cause: error });
    }
  } else {
    raw = Buffer.from(frame.payload.buffer, frame.payload.byteOffset, frame.payload.byteLength);
  }
  if (raw.length !== frame.rawLength) throw new RangeError("log frame length does not match its payload");
  return raw;
}

export function linesBegun(timeRuns: readonly TimeRun[]): number {
  let lines = 0;
  for (const run of timeRuns) lines += run.lines;
  return lines;
}

/** The same bytes from `offset` on; `offset` must lie inside the frame. */
export function cutFrame(frame: LogFrame, offset: number): LogFrame {
  if (offset <= frame.offset) return frame;
  const raw = rawBytes(frame);
  const cut = offset - frame.offset;
  const breaks = countNewlines(raw.subarray(0, cut));
  const touched = countNewlines(raw.subarray(0, raw.length - 1)) + 1;
  // A frame whose first byte begins a line has one more beginning than it has inner newlines.
  const beginsLine = linesBegun(frame.timeRuns) === touched;
  const atLineStart = raw[cut - 1] === newline;
  const gone = (beginsLine ? 1 : 0) + breaks - (atLineStart ? 1 : 0);
  return {
    channel: frame.channel,
    offset,
    firstLine: frame.firstLine + breaks,
    rawLength: raw.length - cut,
    compressed: false,
    timeRuns: dropLines(frame.timeRuns, gone),
    payload: raw.subarray(cut),
  };
}

function dropLines(timeRuns: readonly TimeRun[], count: number): TimeRun[] {
  const kept: TimeRun[] = [];
  let toDrop = count;
  for (const run of timeRuns) {
    const dropped = Math.min(toDrop, run.lines);
    toDrop -= dropped;
    if (run.lines > dropped) kept.push({ lines: run.lines - dropped, timeMs: run.timeMs });
  }
  return kept;
}

export function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}

/** Adjoining frames as one, compressed; together they must not exceed the limit of a frame. */
export function mergeFrames(frames: readonly LogFrame[]): LogFrame {
  const first = frames[0];
  if (!first) throw new RangeError("no frames to merge");
  if (frames.length === 1) return first;
  const raw = Buffer.concat(frames.map(rawBytes));
  return {
    channel: first.channel,
    offset: first.offset,
    firstLine: first.firstLine,
    rawLength: raw.length,
    timeRuns: mergeTimes(frames.flatMap((frame) => frame.timeRuns)),
    ...packed(raw),
  };
}

function mergeTimes(timeRuns: readonly TimeRun[]): TimeRun[] {
  const merged: TimeRun[] = [];
  for (const run of timeRuns) {
    const last = merged.at(-1);
    if (last?.timeMs === run.timeMs) last.lines += run.lines;
    else merged.push({ ...run });
  }
  return merged;
}

function packed(raw: Buffer): { compressed: boolean; payload: Buffer } {
  if (raw.length < worthCompressing) return { compressed: false, payload: raw };
  const payload = zstdCompressSync(raw, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  return payload.length < raw.length ? { compressed: true, payload } : { compressed: false, payload: raw };
}
