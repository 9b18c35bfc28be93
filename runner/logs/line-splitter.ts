/**
 * Cuts lines that are longer than the limit: at the limit a marker and a newline are put in, whatever the chunks.
 * The state is the number of bytes of the open line, so splitting can be resumed from any position.
 */
const newline = 10;
export const splitMarker = Buffer.from(" [forgeline: long line split]\n");

export interface SplitStep {
  out: Buffer;
  /** Bytes of the open line at the end of `out`. */
  column: number;
  /** Newlines in `out`. */
  newlines: number;
}

export function splitLines(bytes: Buffer, column: number, lineBytes: number): SplitStep {
  const counted = countNewlines(bytes);
  const last = bytes.lastIndexOf(newline);
  const first = last === -1 ? bytes.length : bytes.indexOf(newline);
  const after = last === -1 ? column + bytes.length : bytes.length - last - 1;
  const fits = bytes.length <= lineBytes && column + first <= lineBytes && after <= lineBytes;
  return fits ? { out: bytes, column: after, newlines: counted } : splitLong(bytes, column, lineBytes);
}

function splitLong(bytes: Buffer, startColumn: number, lineBytes: number): SplitStep {
  const parts: Buffer[] = [];
  let column = startColumn;
  let newlines = 0;
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(newline, at);
    const lineEnd = found === -1 ? bytes.length : found;
    while (column + (lineEnd - at) > lineBytes) {
      const cut = at + lineBytes - column;
      parts.push(bytes.subarray(at, cut), splitMarker);
      at = cut;
      column = 0;
      newlines++;
    }
    const next = found === -1 ? bytes.length : found + 1;
    parts.push(bytes.subarray(at, next));
    column = found === -1 ? column + next - at : 0;
    if (found !== -1) newlines++;
    at = next;
  }
  return { out: Buffer.concat(parts), column, newlines };
}

/** Newlines in `bytes`; one native search a line, nothing allocated. */
export function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}

/** The number of lines whose first byte is in `bytes`. */
export function linesBegun(bytes: Buffer, atLineStart: boolean): number {
  const inner = countNewlines(bytes.subarray(0, -1));
  return bytes.length === 0 ? 0 : inner + (atLineStart ? 1 : 0);
}
