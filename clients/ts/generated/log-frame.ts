// Generated from schemas/logs/frame.ts by `npm run generate`; do not edit.
/**
 * The binary log frame, the same from runner to server and from server to viewer.
 *
 * The coordinate of a log is the byte offset in the masked stream of one step attempt. A frame carries bytes
 * from `offset` on, the number (from 0) of the line that its first byte belongs to, and when lines were first seen.
 *
 * Layout, big endian: u8 type (1) · u8 flags (1 = payload is zstd) · u32 channel · u64 offset · u64 firstLine ·
 * u32 rawLength · u32 timeRunCount · timeRunCount × (u32 lines, f64 timeMs) · payload.
 * `channel` stands for a stream; the control message that opens it says which.
 * `timeRuns` cover, in order, the lines that *begin* in this frame (a line begins after a newline or at offset 0).
 */
export const logFrameType = 1;
export const logFrameFlagZstd = 1;
const headerLength = 30;
const timeRunLength = 12;

/** At most this many raw bytes in one frame. */
export const maxLogFrameBytes = 64 * 1024;

export interface TimeRun {
  /** How many lines begin at this time. */
  lines: number;
  /** Milliseconds since 1970. */
  timeMs: number;
}

export interface LogFrame {
  channel: number;
  offset: number;
  firstLine: number;
  /** Length of the bytes before compression. */
  rawLength: number;
  compressed: boolean;
  timeRuns: TimeRun[];
  payload: Uint8Array;
}

export function encodeLogFrame(frame: LogFrame): Uint8Array<ArrayBuffer> {
  const payloadStart = headerLength + frame.timeRuns.length * timeRunLength;
  const out = new Uint8Array(payloadStart + frame.payload.length);
  const view = new DataView(out.buffer);
  view.setUint8(0, logFrameType);
  view.setUint8(1, frame.compressed ? logFrameFlagZstd : 0);
  view.setUint32(2, frame.channel);
  view.setBigUint64(6, BigInt(frame.offset));
  view.setBigUint64(14, BigInt(frame.firstLine));
  view.setUint32(22, frame.rawLength);
  view.setUint32(26, frame.timeRuns.length);
  frame.timeRuns.forEach((run, i) => {
    view.setUint32(headerLength + i * timeRunLength, run.lines);
    view.setFloat64(headerLength + i * timeRunLength + 4, run.timeMs);
  });
  out.set(frame.payload, payloadStart);
  return out;
}

/** Throws `RangeError` with a short reason when the bytes are not a whole, consistent frame. */
export function decodeLogFrame(bytes: Uint8Array): LogFrame {
  if (bytes.length < headerLength) throw new RangeError("log frame is shorter than its header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(0) !== logFrameType) throw new RangeError("unknown binary frame type");
  const rawLength = view.getUint32(22);
  const timeRunCount = view.getUint32(26);
  const payloadStart = headerLength + timeRunCount * timeRunLength;
  if (rawLength > maxLogFrameBytes) throw new RangeError("log frame exceeds 64 KiB");
  if (timeRunCount > rawLength || payloadStart > bytes.length) throw new RangeError("log frame is cut");
  const timeRuns: TimeRun[] = [];
  for (let at = headerLength; at < payloadStart; at += timeRunLength)
    timeRuns.push({ lines: view.getUint32(at), timeMs: view.getFloat64(at + 4) });
  return {
    channel: view.getUint32(2),
    offset: Number(view.getBigUint64(6)),
    firstLine: Number(view.getBigUint64(14)),
    rawLength,
    compressed: (view.getUint8(1) & logFrameFlagZstd) !== 0,
    timeRuns,
    payload: bytes.subarray(payloadStart),
  };
}
