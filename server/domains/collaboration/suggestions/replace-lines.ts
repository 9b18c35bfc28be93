/** Replaces lines of a file. Bytes of other lines stay as they are, whatever their encoding. */

/** From 1; both are included. */
export interface LineRange {
  from: number;
  to: number;
}

export interface Replacement extends LineRange {
  /** Without their ends. */
  lines: readonly string[];
}

/** With their ends, each byte as one character. */
function linesOf(bytes: Buffer): string[] {
  const lines = bytes.toString("latin1").split("\n");
  const last = lines.pop() ?? "";
  return [...lines.map((line) => `${line}\n`), ...(last === "" ? [] : [last])];
}

/** A file whose lines are read often: found once, and without a string for each. */
export interface IndexedFile {
  bytes: Buffer;
  /** Where each line ends. */
  ends: Uint32Array;
}

const newline = 0x0a;

export function indexLines(bytes: Buffer): IndexedFile {
  let count = bytes.length > 0 && bytes.at(-1) !== newline ? 1 : 0;
  for (const byte of bytes) if (byte === newline) count += 1;
  const ends = new Uint32Array(count);
  let line = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === newline) ends[line++] = at + 1;
  if (line < count) ends[line] = bytes.length;
  return { bytes, ends };
}

/** These lines with their ends, not copied; undefined where the file has not so many. */
export function readLines({ bytes, ends }: IndexedFile, { from, to }: LineRange): Buffer | undefined {
  if (from < 1 || to < from || to > ends.length) return undefined;
  return bytes.subarray(from === 1 ? 0 : ends[from - 2], ends[to - 1]);
}

/** The first two that concern the same line; undefined where there are none. */
export function findOverlap<Range extends LineRange>(ranges: readonly Range[]): [Range, Range] | undefined {
  const sorted = ranges.toSorted((one, other) => one.from - other.from);
  for (const [index, range] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next && next.from <= range.to) return [range, next];
  }
  return undefined;
}

/**
 * Each range is in the file, and none overlaps another. New lines end as those that they replace; a last line without an end leaves
 * a last line without one.
 */
export function replaceLines(bytes: Buffer, replacements: readonly Replacement[]): Buffer {
  const lines = linesOf(bytes);
  for (const { from, to, lines: wanted } of replacements.toSorted((one, other) => other.from - one.from)) {
    const end = lines[from - 1]?.endsWith("\r\n") ? "\r\n" : "\n";
    const made = wanted.map((line) => Buffer.from(`${line}${end}`, "utf8").toString("latin1"));
    const isOpen = !(lines[to - 1] ?? "").endsWith("\n");
    const last = made.pop();
    if (last !== undefined) made.push(isOpen ? last.slice(0, -end.length) : last);
    lines.splice(from - 1, to - from + 1, ...made);
  }
  return Buffer.from(lines.join(""), "latin1");
}
