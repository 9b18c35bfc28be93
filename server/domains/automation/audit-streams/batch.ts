/** Lines of an audit log, in the pieces in which targets take them. */
import { maxBatchEntries } from "@forgeline/schemas/audit-streams/resource.ts";

export interface Batch {
  /** JSON, an entry each. */
  lines: readonly string[];
  /** Of the first and the last entry; null for one that is not in the log. */
  place: { first: number; last: number } | null;
}

/** Well under what servers usually take in one request (1 MiB). */
const maxBytes = 512 * 1024;

/** `text`: lines as `AuditReader` gives them. Each batch has at most 100, and 512 KiB unless one line alone is longer. */
export function* batchesOf(text: string): Generator<Batch> {
  let lines: string[] = [];
  let bytes = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const length = Buffer.byteLength(line);
    if (lines.length === maxBatchEntries || (lines.length > 0 && bytes + length > maxBytes)) {
      yield batchOf(lines);
      [lines, bytes] = [[], 0];
    }
    lines.push(line);
    bytes += length;
  }
  if (lines.length > 0) yield batchOf(lines);
}

function batchOf(lines: string[]): Batch {
  return { lines, place: { first: numberOf(lines[0]), last: numberOf(lines.at(-1)) } };
}

/** `seq` of an entry, without reading all of it. */
function numberOf(line: string | undefined): number {
  const [, number] = /^\{"id":"\w+","seq":(\d+),/.exec(line ?? "") ?? [];
  if (number === undefined) throw new Error("an entry of the log has no seq");
  return Number(number);
}
