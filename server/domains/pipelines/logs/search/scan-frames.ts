/**
 * Searches adjoining frames of one stream, a batch at a time. It runs in a thread; what it needs to know of the batch before
 * comes with the task, so any thread can go on. Pure.
 */
import { countNewlines, rawBytes } from "../frame-bytes.ts";
import { findLines, type FoundLine, type Wanted } from "./find-words.ts";
import { plainText } from "./plain-text.ts";

/** The beginning of a line that has not ended yet. */
export interface Carry {
  bytes: Uint8Array;
  /** Where the line, or the piece of it, begins in the stream. */
  offset: number;
}

export interface ScanTask {
  /** Payloads of the frames, one after the other. */
  payloads: Uint8Array;
  frames: {
    offset: number;
    firstLine: number;
    rawLength: number;
    compressed: boolean;
    storedLength: number;
  }[];
  carry: Carry | null;
  /** Whether bytes at the end without a newline are a line: nothing comes after them. */
  isEnd: boolean;
  wanted: Wanted;
  limit: number;
}

export interface ScanHit extends FoundLine {
  /** Where the line begins, and where the next one does, in the stream. */
  offset: number;
  end: number;
}

export interface ScanResult {
  /** `line` counts from 0 in the stream. */
  hits: ScanHit[];
  carry: Carry | null;
}

const newline = 10;
/** A longer line is searched in pieces, so that nobody holds more than this. */
const pieceBytes = 256 * 1024;

/** Throws `RangeError` for a frame that does not hold what its header says. */
export function scanFrames(task: ScanTask): ScanResult {
  const hits: ScanHit[] = [];
  let carried: Buffer = Buffer.from(task.carry?.bytes ?? []);
  let start = task.carry?.offset ?? task.frames[0]?.offset ?? 0;
  let at = 0;
  let line = 0;

  const search = (bytes: Buffer) => {
    hits.push(...scanBlock(bytes, { offset: start, line }, { ...task, limit: task.limit - hits.length }));
    start += bytes.length;
  };

  for (const frame of task.frames) {
    if (hits.length >= task.limit) break;
    const raw = rawBytes({
      ...frame,
      channel: 0,
      timeRuns: [],
      payload: task.payloads.subarray(at, (at += frame.storedLength)),
    });
    // A line that is carried has not ended, so its number is that of the first line here.
    line = frame.firstLine;
    const last = raw.lastIndexOf(newline) + 1;
    if (last > 0) {
      search(carried.length > 0 ? Buffer.concat([carried, raw.subarray(0, last)]) : raw.subarray(0, last));
      carried = raw.subarray(last);
      line += countNewlines(raw.subarray(0, last));
    } else carried = Buffer.concat([carried, raw]);
    if (carried.length > pieceBytes) {
      search(carried);
      carried = Buffer.alloc(0);
    }
  }
  if (task.isEnd && carried.length > 0 && hits.length < task.limit) {
    search(carried);
    carried = Buffer.alloc(0);
  }
  return { hits, carry: carried.length > 0 ? { bytes: Uint8Array.from(carried), offset: start } : null };
}

function scanBlock(
  bytes: Buffer,
  first: { offset: number; line: number },
  { wanted, limit }: Pick<ScanTask, "wanted" | "limit">,
): ScanHit[] {
  const found = findLines(plainText(bytes.toString("utf8")), wanted, limit);
  // Escape sequences are gone from what was searched, newlines are not: places are counted in the bytes.
  let start = 0;
  let line = 0;
  return found.map((hit) => {
    for (; line < hit.line; line += 1) start = bytes.indexOf(newline, start) + 1;
    const stop = bytes.indexOf(newline, start);
    const end = stop < 0 ? bytes.length : stop + 1;
    return { ...hit, line: first.line + hit.line, offset: first.offset + start, end: first.offset + end };
  });
}
