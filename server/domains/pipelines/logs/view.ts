/** Shows a selection of logs: pages of lines, all lines, the last lines, or bytes. */
import type { LogLine, LogPage } from "@forgeline/schemas/logs/resource.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { readLines, type StoredLine } from "./lines.ts";
import { presentLine } from "./present.ts";
import type { LogReader } from "./reader.ts";
import type { RunStream } from "./run-state.ts";
import { findPlaceOfLine } from "./segment.store.ts";
import type { LogSelection, Place } from "./selection.ts";

const defaultPageLines = 1000;
const pageBytes = 2 * 1024 * 1024;

export interface PlacedLine {
  index: number;
  stream: RunStream;
  line: StoredLine;
}

export interface PageOfLines {
  limit?: number | undefined;
  tail?: number | undefined;
}

export interface LogView {
  /** Continues with the next stream only when the previous one has ended, so that no line is skipped. */
  page(selection: LogSelection, from: Place, limit: number): Promise<LogPage>;
  /** The page of a request: the last lines with `tail`, else those from `from`. */
  pageOf(selection: LogSelection, from: Place, query: PageOfLines): Promise<LogPage>;
  lines(selection: LogSelection, from: Place): AsyncGenerator<PlacedLine>;
  /** The last lines that are there, oldest first; fewer when they are longer than a page may be. */
  tail(selection: LogSelection, count: number): Promise<PlacedLine[]>;
  /** Position in the concatenated streams of `from`, or of the first of the last `count` lines. */
  startOf(selection: LogSelection, from: Place, count: number | undefined): Promise<number>;
  /** Bytes `[start, end)` of the concatenated streams. */
  bytes(selection: LogSelection, start: number, end: number): AsyncGenerator<Buffer>;
}

export function createLogView(deps: { db: Queryable; reader: LogReader }): LogView {
  async function* linesOf(stream: RunStream, index: number, start: number): AsyncGenerator<PlacedLine> {
    const range = { streamId: stream.id, start, end: stream.next_offset, lastIsWhole: stream.ended };
    for await (const line of readLines(deps.reader, range)) yield { index, stream, line };
  }

  async function* lines(selection: LogSelection, from: Place): AsyncGenerator<PlacedLine> {
    for (const [index, stream] of selection.streams.entries())
      if (index >= from.index) yield* linesOf(stream, index, index === from.index ? from.offset : 0);
  }

  async function page(selection: LogSelection, from: Place, limit: number): Promise<LogPage> {
    const shown: LogLine[] = [];
    let next = from;
    let size = 0;
    for (const [index, stream] of selection.streams.entries()) {
      if (index < from.index) continue;
      if (index > next.index) next = { index, offset: 0 };
      for await (const placed of linesOf(stream, index, next.offset)) {
        shown.push(presentLine(placed));
        next = { index, offset: placed.line.end };
        size += placed.line.bytes.length;
        if (shown.length >= limit || size >= pageBytes) return finish(selection, shown, next);
      }
      if (!stream.ended) break;
    }
    return finish(selection, shown, next);
  }

  async function tailOf(stream: RunStream, index: number, count: number): Promise<PlacedLine[]> {
    const start = await findPlaceOfLine(deps.db, stream.id, Math.max(0, stream.next_line - count - 1));
    const last: PlacedLine[] = [];
    let size = 0;
    for await (const placed of linesOf(stream, index, start)) {
      last.push(placed);
      size += placed.line.bytes.length;
      while (last.length > count || (size > pageBytes && last.length > 1))
        size -= last.shift()?.line.bytes.length ?? 0;
    }
    return last;
  }

  async function tail(selection: LogSelection, count: number): Promise<PlacedLine[]> {
    let found: PlacedLine[] = [];
    let size = 0;
    for (let index = selection.streams.length - 1; index >= 0; index -= 1) {
      const stream = selection.streams[index];
      if (!stream || found.length >= count || size >= pageBytes) break;
      const more = await tailOf(stream, index, count - found.length);
      found = [...more, ...found];
      size += more.reduce((sum, placed) => sum + placed.line.bytes.length, 0);
    }
    return found;
  }

  async function* bytes(selection: LogSelection, start: number, end: number): AsyncGenerator<Buffer> {
    let before = 0;
    for (const stream of selection.streams) {
      const from = Math.max(0, start - before);
      const to = Math.min(stream.next_offset, end - before);
      if (from < to) yield* deps.reader.bytes(stream.id, from, to);
      before += stream.next_offset;
    }
  }

  async function pageOf(selection: LogSelection, from: Place, query: PageOfLines): Promise<LogPage> {
    if (query.tail === undefined) return page(selection, from, query.limit ?? defaultPageLines);
    const last = await tail(selection, query.tail);
    const end = last.at(-1);
    const next = end ? { index: end.index, offset: end.line.end } : from;
    return finish(selection, last.map(presentLine), next);
  }

  async function startOf(selection: LogSelection, from: Place, count: number | undefined): Promise<number> {
    const [first] = count === undefined ? [] : await tail(selection, count);
    const place = first ? { index: first.index, offset: first.line.start } : from;
    const before = selection.streams
      .slice(0, place.index)
      .reduce((sum, stream) => sum + stream.next_offset, 0);
    return Math.min(before + place.offset, selection.totalBytes);
  }

  return { page, pageOf, lines, tail, startOf, bytes };
}

/** The position after the shown lines; null if nothing can follow. */
export function finish(selection: LogSelection, lines: LogLine[], next: Place): LogPage {
  const stream = selection.streams[next.index];
  const isLast = next.index >= selection.streams.length - 1;
  const over = selection.finished && isLast && next.offset >= (stream?.next_offset ?? 0);
  return {
    lines,
    next_cursor: stream && !over ? `${stream.id}:${next.offset}` : null,
    finished: selection.finished,
    complete: selection.complete,
  };
}
