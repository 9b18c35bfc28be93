/**
 * One stream of a log as it grows: its bytes in one buffer, and where each line begins. A line becomes text when somebody
 * looks at it, so a million lines cost their bytes and little more.
 */
import type { WatchedPlace, WatchedStream } from "@forgeline/client/watch-session.ts";
import { parseSgr, plainStyle, type SgrStyle } from "./sgr.ts";

export interface LogGroup {
  title: string;
  /** The line that opens it; the lines after it belong to it. */
  start: number;
  /** The line that closes it, or null while it is open. */
  end: number | null;
}

export interface StreamEnd {
  bytes: number;
  lines: number;
  complete: boolean;
}

export interface LogStream {
  readonly stream: WatchedStream;
  append(bytes: Uint8Array, place: Pick<WatchedPlace, "timeRuns">): void;
  finish(end: StreamEnd): void;
  /** Lines that have begun; the last one may still grow. */
  lineCount(): number;
  byteCount(): number;
  /** Line `line`, from 0, without its newline. */
  text(line: number): string;
  /** Lines `[from, to)` joined by newlines. */
  block(from: number, to: number): string;
  /** Milliseconds since 1970, or null where nothing is known of it. */
  timeOf(line: number): number | null;
  /** The colours that lines before this one left on. */
  styleBefore(line: number): SgrStyle;
  groups(): readonly LogGroup[];
  end(): StreamEnd | null;
}

const newline = 0x0a;
const escape = 0x1b;
const firstBytes = 16 * 1024;
const firstLines = 256;
/** Groups are opened and closed by lines that begin so. */
const groupMark = /^(?:::|##\[)(group|endgroup)(?:::|\])(.*)$/s;
const maxTitleLength = 300;

export function isGroupEnd(text: string): boolean {
  return groupMark.exec(text)?.[1] === "endgroup";
}

export function createLogStream(stream: WatchedStream): LogStream {
  const decoder = new TextDecoder();
  const starts = growingList(firstLines);
  const times = growingList(firstLines);
  const groups: LogGroup[] = [];
  /** Lines at which the style differs from that of the line before, and the style. */
  const styleLines: number[] = [];
  const styles: SgrStyle[] = [];
  let buffer = new Uint8Array(firstBytes);
  let size = 0;
  /** Lines that have their newline. */
  let whole = 0;
  let ended: StreamEnd | null = null;

  function reserve(more: number): void {
    if (size + more <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, size + more));
    larger.set(buffer.subarray(0, size));
    buffer = larger;
  }

  function beginLines(bytes: Uint8Array): number {
    const before = starts.length();
    if (size === 0 || buffer[size - 1] === newline) starts.push(size);
    const last = bytes.length - 1;
    for (let at = bytes.indexOf(newline); at !== -1 && at < last; at = bytes.indexOf(newline, at + 1))
      starts.push(size + at + 1);
    return starts.length() - before;
  }

  function lookAtWholeLines(): void {
    const count = starts.length();
    const wholeNow = size > 0 && buffer[size - 1] === newline ? count : count - 1;
    let nextEscape = buffer.subarray(0, size).indexOf(escape, starts.at(whole));
    for (; whole < wholeNow; whole += 1) {
      const start = starts.at(whole);
      const end = endOf(whole);
      const first = buffer[start];
      if (first === 0x3a || first === 0x23) noteGroup(whole);
      if (nextEscape === -1 || nextEscape >= end) continue;
      const before = styles.at(-1) ?? plainStyle;
      const after = endsPlain(buffer, start, end) ? plainStyle : parseSgr(text(whole), before).after;
      noteStyle(whole + 1, before, after);
      nextEscape = buffer.subarray(0, size).indexOf(escape, end);
    }
  }

  function noteStyle(line: number, before: SgrStyle, after: SgrStyle): void {
    if (sameStyle(before, after)) return;
    styleLines.push(line);
    styles.push(after);
  }

  function noteGroup(line: number): void {
    const [, what, title = ""] = groupMark.exec(text(line)) ?? [];
    if (what === undefined) return;
    const open = groups.at(-1)?.end === null ? groups.at(-1) : undefined;
    if (open) open.end = what === "endgroup" ? line : line - 1;
    if (what === "group")
      groups.push({ title: title.trim().slice(0, maxTitleLength), start: line, end: null });
  }

  function endOf(line: number): number {
    const next = line + 1 < starts.length() ? starts.at(line + 1) : size;
    return buffer[next - 1] === newline && next > starts.at(line) ? next - 1 : next;
  }

  const text = (line: number) =>
    line < starts.length() ? decoder.decode(buffer.subarray(starts.at(line), endOf(line))) : "";

  return {
    stream,
    append(bytes, { timeRuns }) {
      if (bytes.length === 0) return;
      const begun = beginLines(bytes);
      addTimes(times, timeRuns, begun);
      reserve(bytes.length);
      buffer.set(bytes, size);
      size += bytes.length;
      lookAtWholeLines();
    },
    finish(end) {
      ended = end;
    },
    lineCount: () => starts.length(),
    byteCount: () => size,
    text,
    block(from, to) {
      const last = Math.min(to, starts.length()) - 1;
      return last < from ? "" : decoder.decode(buffer.subarray(starts.at(from), endOf(last)));
    },
    timeOf(line) {
      const time = line < times.length() ? times.at(line) : 0;
      return time > 0 ? time : null;
    },
    styleBefore: (line) => styles[lastIndexAtMost(styleLines, line)] ?? plainStyle,
    groups: () => groups,
    end: () => ended,
  };
}

/** The last `begun` lines of the runs are those that began now. */
function addTimes(times: GrowingList, runs: WatchedPlace["timeRuns"], begun: number): void {
  const told = runs.reduce((sum, run) => sum + run.lines, 0);
  for (let missing = begun - told; missing > 0; missing -= 1) times.push(0);
  let skip = Math.max(0, told - begun);
  for (const run of runs) {
    const skipped = Math.min(skip, run.lines);
    skip -= skipped;
    for (let line = skipped; line < run.lines; line += 1) times.push(run.timeMs);
  }
}

interface GrowingList {
  push(value: number): void;
  at(index: number): number;
  length(): number;
}

function growingList(capacity: number): GrowingList {
  let values = new Float64Array(capacity);
  let count = 0;
  return {
    push(value) {
      if (count === values.length) {
        const larger = new Float64Array(count * 2);
        larger.set(values);
        values = larger;
      }
      values[count] = value;
      count += 1;
    },
    at: (index) => values[index] ?? 0,
    length: () => count,
  };
}

/** Index of the last value that is not above `limit`; -1 when all are. */
export function lastIndexAtMost(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Whether the last sequence of the line puts all colours out, as nearly every coloured line does. */
function endsPlain(bytes: Uint8Array, start: number, end: number): boolean {
  const at = bytes.subarray(start, end).lastIndexOf(escape) + start;
  if (bytes[at + 1] !== 0x5b) return false;
  return bytes[at + 2] === 0x6d || (bytes[at + 2] === 0x30 && bytes[at + 3] === 0x6d);
}

function sameStyle(a: SgrStyle, b: SgrStyle): boolean {
  return (Object.keys(plainStyle) as (keyof SgrStyle)[]).every((key) => a[key] === b[key]);
}
