/** Reads lines of one stream, with number, time and position, from its frames. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import { countNewlines, linesBegun, rawBytes } from "./frame-bytes.ts";
import type { LogReader } from "./reader.ts";

export interface StoredLine {
  /** From 0, as in frames. */
  number: number;
  /** Offset of the line's first byte, and of the byte after its newline. */
  start: number;
  end: number;
  /** When it was first seen; null for the rest of a line that began before what was read. */
  timeMs: number | null;
  /** Without the newline. */
  bytes: Buffer;
}

/** A longer line comes in pieces with the same number, so that nobody holds more than this. */
const pieceBytes = 256 * 1024;
const newline = 10;

export interface LineRange {
  streamId: string;
  start: number;
  end: number;
  /** Whether bytes at the end without a newline are a line; false while the stream continues. */
  lastIsWhole: boolean;
}

/** A frame may hold 65,536 empty lines, which a fast reader would take in one turn of the event loop. */
const linesInOneTurn = 1_000;

/** In order; a few hundred KiB in memory at a time. Other work gets its turn between them, however fast they are read. */
export async function* readLines(reader: LogReader, range: LineRange): AsyncGenerator<StoredLine> {
  const assembler = createLineAssembler(range.start);
  for (let at = range.start; at < range.end;) {
    const frames = await reader.frames(range.streamId, at);
    if (frames.length === 0) throw new Error(`log stream ${range.streamId} has no bytes at ${at}`);
    for (const frame of frames) {
      if (at >= range.end) break;
      for (const [n, line] of assembler.feed(frame, range.end).entries()) {
        yield line;
        if (n % linesInOneTurn === linesInOneTurn - 1) await nextTurn();
      }
      await nextTurn();
      at = frame.offset + frame.rawLength;
    }
  }
  const rest = range.lastIsWhole ? assembler.rest(range.end) : undefined;
  if (rest) yield rest;
}

function createLineAssembler(start: number) {
  let number = 0;
  let lineStart = start;
  let timeMs: number | null = null;
  let parts: Buffer[] = [];
  let length = 0;
  let atLineStart: boolean | undefined;

  const close = (end: number): StoredLine => {
    const [only] = parts;
    const bytes = parts.length === 1 && only ? only : Buffer.concat(parts);
    const line = { number, start: lineStart, end, timeMs, bytes };
    parts = [];
    length = 0;
    lineStart = end;
    return line;
  };

  return {
    feed(frame: LogFrame, until: number): StoredLine[] {
      const whole = rawBytes(frame);
      const raw = whole.subarray(0, until - frame.offset);
      const nextTime = timesOf(frame);
      const lines: StoredLine[] = [];
      number = frame.firstLine;
      atLineStart ??= linesBegun(frame.timeRuns) > countNewlines(whole.subarray(0, whole.length - 1));
      if (atLineStart) timeMs = nextTime();
      let from = 0;
      for (let stop = raw.indexOf(newline); stop >= 0; stop = raw.indexOf(newline, from)) {
        parts.push(raw.subarray(from, stop));
        lines.push(close(frame.offset + stop + 1));
        number += 1;
        from = stop + 1;
        if (from < raw.length) timeMs = nextTime();
      }
      atLineStart = from === raw.length;
      if (!atLineStart) {
        parts.push(raw.subarray(from));
        length += raw.length - from;
      }
      if (length > pieceBytes) lines.push(close(frame.offset + raw.length));
      return lines;
    },
    rest: (end: number): StoredLine | undefined => (parts.length > 0 ? close(end) : undefined),
  };
}

/** Returns the times of the lines that begin in a frame, one per call; null if the frame has too few. */
function timesOf(frame: LogFrame): () => number | null {
  let run = 0;
  let used = 0;
  return () => {
    for (let current = frame.timeRuns[run]; current; current = frame.timeRuns[++run]) {
      if (used++ < current.lines) return current.timeMs;
      used = 0;
    }
    return null;
  };
}
