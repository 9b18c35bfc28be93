/**
 * Replaces a segment whose object is lost: as many bytes, so that every later offset stays valid, and about as many lines; the
 * first says what happened, the others are blank.
 */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";

/** One frame inside an object: raw bytes, stored bytes, number of its first line. */
export interface Block {
  raw: number;
  stored: number;
  line: number;
}

const newline = 10;
const marker = "[forgeline: this part of the log was lost]";

/** From the frame that holds `offset` to the segment's end. */
export function lostFrames(
  segment: { startOffset: number; nextLine: number; index: readonly Block[] },
  offset: number,
): LogFrame[] {
  const frames: LogFrame[] = [];
  let start = segment.startOffset;
  for (const [i, block] of segment.index.entries()) {
    const end = start + block.raw;
    const lines = (segment.index[i + 1]?.line ?? segment.nextLine) - block.line;
    if (end > offset) frames.push(lostFrame(block, { offset: start, lines, text: i === 0 ? marker : "" }));
    start = end;
  }
  return frames;
}

function lostFrame(
  block: Block,
  { offset, lines, text }: { offset: number; lines: number; text: string },
): LogFrame {
  const payload = Buffer.alloc(block.raw, " ");
  // The newlines are at the end, so that the text has as much room as possible.
  const newlines = Math.max(0, Math.min(lines, block.raw));
  payload.fill(newline, block.raw - newlines);
  payload.write(text, 0, Math.min(text.length, block.raw - newlines), "latin1");
  return {
    channel: 0,
    offset,
    firstLine: block.line,
    rawLength: block.raw,
    compressed: false,
    // Their times are not known.
    timeRuns: [],
    payload,
  };
}
