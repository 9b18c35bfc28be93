/** Finds the lines of a log that hold some words, whatever their case and colours, a stretch at a time. */
import type { LogStore } from "./log-store.ts";
import { streamKey } from "./log-store.ts";
import type { LogStream } from "./log-stream.ts";
import { plainText } from "./sgr.ts";

export interface Found {
  /** As `streamKey` says. */
  stream: string;
  /** From 0. */
  line: number;
}

export interface LogSearch {
  /** Goes on until it has looked at everything that is there, or `isTimeUp`; true when it has. */
  advance(isTimeUp: () => boolean): boolean;
  count(): number;
  /** In the order of the log. */
  at(index: number): Found | undefined;
  /** Index of the first one at or after this line. */
  indexFrom(place: Found): number;
}

const linesAtOnce = 2_000;

export function createLogSearch(store: LogStore, words: string): LogSearch {
  const wanted = words.toLowerCase();
  const hits = new Map<string, number[]>();
  const next = new Map<string, number>();

  const hitsOf = (log: LogStream) => hits.get(streamKey(log)) ?? [];

  function advanceStream(log: LogStream, isTimeUp: () => boolean): boolean {
    const key = streamKey(log);
    const found = hitsOf(log);
    hits.set(key, found);
    // A line that may still grow is looked at when it is whole.
    const last = log.end() ? log.lineCount() : log.lineCount() - 1;
    let line = next.get(key) ?? 0;
    while (line < last) {
      const to = Math.min(line + linesAtOnce, last);
      for (const text of log.block(line, to).split("\n")) {
        if (holds(text, wanted)) found.push(line);
        line += 1;
      }
      next.set(key, line);
      if (isTimeUp()) return false;
    }
    return true;
  }

  return {
    advance: (isTimeUp) => store.streams().every((log) => advanceStream(log, isTimeUp)),
    count: () => [...hits.values()].reduce((sum, lines) => sum + lines.length, 0),
    at(index) {
      let left = index;
      for (const log of store.streams()) {
        const lines = hitsOf(log);
        const line = lines[left];
        if (left >= 0 && line !== undefined) return { stream: streamKey(log), line };
        left -= lines.length;
      }
      return undefined;
    },
    indexFrom(place) {
      let before = 0;
      for (const log of store.streams()) {
        const lines = hitsOf(log);
        if (streamKey(log) === place.stream) {
          const here = lines.findIndex((line) => line >= place.line);
          return here === -1 ? before + lines.length : before + here;
        }
        before += lines.length;
      }
      return 0;
    },
  };
}

function holds(text: string, wanted: string): boolean {
  const plain = text.includes("\u001b") || text.includes("\u009b") ? plainText(text) : text;
  return plain.toLowerCase().includes(wanted);
}
