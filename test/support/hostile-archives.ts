/** Archives as a job can save them by hand: what no cache of a runner holds. Each is compressed and small. */
import { buffer } from "node:stream/consumers";
import { compressed } from "@forgeline/runner/caches/compression.ts";
import { encodeTarHeader, tarEnd, type WrittenEntry } from "@forgeline/runner/caches/tar-header.ts";

type Entry = Partial<WrittenEntry> & { path: string };

const user = { uid: 0, gid: 0 };

function headerOf(entry: Entry): Buffer {
  return encodeTarHeader(
    { kind: "file", target: "", sizeBytes: 0, mode: 0o777, modifiedS: 1, ...entry },
    user,
  );
}

/** The header of one entry with another type in it, such as that of a device. */
function ofType(type: string, entry: Entry): Buffer {
  const header = headerOf(entry);
  header.write(type, 156, "latin1");
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

function packed(source: () => Iterable<Buffer>): Promise<Buffer> {
  async function* pieces() {
    // Many together, since each passes through a stream.
    let held: Buffer[] = [];
    for (const piece of source()) {
      held.push(piece);
      if (held.length < 512) continue;
      yield Buffer.concat(held);
      held = [];
    }
    yield Buffer.concat(held);
  }
  return buffer(compressed(pieces()));
}

/** Of these headers, and the end. */
export function archiveOf(...entries: (Entry | { type: string; entry: Entry })[]): Promise<Buffer> {
  const headers = entries.map((each) => ("type" in each ? ofType(each.type, each.entry) : headerOf(each)));
  return packed(() => [...headers, tarEnd]);
}

/** Of empty files, each with the path that this gives. */
export function manyFiles(count: number, pathOf: (n: number) => string): Promise<Buffer> {
  return packed(function* () {
    for (let n = 0; n < count; n += 1) yield headerOf({ path: pathOf(n) });
    yield tarEnd;
  });
}

/** Well ended, and zeros behind the end. */
export function zerosBehind(mebibytes: number, ...entries: Entry[]): Promise<Buffer> {
  const zeros = Buffer.alloc(1024 * 1024);
  return packed(function* () {
    yield* entries.map(headerOf);
    yield tarEnd;
    for (let n = 0; n < mebibytes; n += 1) yield zeros;
  });
}
