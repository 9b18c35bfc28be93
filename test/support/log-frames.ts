/** Makes log frames as a runner would: any stretch of a text, with right line numbers and times. */
import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";

const newline = 10;

/** The frame for `[start, end)` of `text`; lines count from 0; line n begins at n seconds. */
export function frameOf(text: Buffer, start: number, end: number, compressed = false): LogFrame {
  const raw = text.subarray(start, end);
  let line = 0;
  for (let at = 0; at < start; at += 1) if (text[at] === newline) line += 1;
  const firstLine = line;
  const timeRuns: LogFrame["timeRuns"] = [];
  for (let at = start; at < end; at += 1) {
    if (at === 0 || text[at - 1] === newline) timeRuns.push({ lines: 1, timeMs: line * 1000 });
    if (text[at] === newline) line += 1;
  }
  return {
    channel: 1,
    offset: start,
    firstLine,
    rawLength: raw.length,
    compressed,
    timeRuns,
    payload: compressed ? zstdCompressSync(raw) : raw,
  };
}

/** What a runner says at the end of a stream that was `text`. */
export function endOf(text: Buffer) {
  const lines =
    text.toString("latin1").split("\n").length - (text.at(-1) === newline || text.length === 0 ? 1 : 0);
  return {
    bytes: text.length,
    lines,
    sha256: createHash("sha256").update(text).digest("hex"),
    droppedBytes: 0,
    droppedLines: 0,
  };
}

export async function collect(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(Buffer.from(part));
  return Buffer.concat(all);
}

/** Repeatable random numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
