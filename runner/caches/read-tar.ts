/** Reads the entries of a tar archive as it comes, with bounds for all that is kept in memory. */
import { createByteReader, type ByteReader } from "../artifacts/byte-reader.ts";
import {
  blockBytes,
  decodePax,
  decodeTarHeader,
  maxExtendedBytes,
  paddingOf,
  type TarEntry,
} from "./tar-header.ts";

const maxBehindBytes = 1024 * 1024;
/** In front of one entry; archives of any program have four at most. */
const maxExtendedHeaders = 16;

export interface ReadEntry extends TarEntry {
  /** Its bytes; what is not read of them is passed over. */
  pieces(): AsyncGenerator<Buffer>;
}

/** Throws `RangeError` for what is no archive, or ends early. */
export function readTar(source: AsyncIterable<Buffer>): AsyncGenerator<ReadEntry> {
  return readTarBy(createByteReader(source));
}

/** As `readTar`. */
export async function* readTarBy(reader: ByteReader): AsyncGenerator<ReadEntry> {
  for (let header = await readHeader(reader); header !== null; header = await readHeader(reader)) {
    const { sizeBytes } = header;
    let left = header.kind === "file" || header.kind === "other" ? sizeBytes : 0;
    async function* pieces(): AsyncGenerator<Buffer> {
      for await (const piece of reader.pieces(left)) {
        left -= piece.length;
        yield piece;
      }
    }
    yield { ...header, pieces };
    await reader.skip(left);
    const padding = header.kind === "file" || header.kind === "other" ? paddingOf(sizeBytes) : 0;
    if (padding > 0) await reader.skip(padding);
  }
  // What follows the end is padding of whoever wrote it, and has to be taken for its sender to finish.
  let behind = 0;
  for await (const { length } of reader.remaining()) {
    behind += length;
    if (behind > maxBehindBytes) throw new RangeError("more follows its end");
  }
}

/** The next entry with the texts that stand in front of it; null at the end. */
async function readHeader(reader: ByteReader): Promise<TarEntry | null> {
  let more = new Map<string, string>();
  for (let before = 0; before <= maxExtendedHeaders; before += 1) {
    const header = decodeTarHeader(await reader.take(blockBytes));
    if (header === null) return null;
    if (header.kind !== "extended") return withTexts(header, more);
    if (header.sizeBytes > maxExtendedBytes) throw new RangeError("an extended header is too long");
    const text = Buffer.from(await reader.take(header.sizeBytes));
    if (paddingOf(header.sizeBytes) > 0) await reader.take(paddingOf(header.sizeBytes));
    if (header.form === "pax") more = decodePax(text);
    else if (header.form === "path") more.set("path", untilZero(text));
    else if (header.form === "target") more.set("linkpath", untilZero(text));
  }
  throw new RangeError("too many extended headers stand in front of an entry");
}

function untilZero(text: Buffer): string {
  const end = text.indexOf(0);
  return text.toString("utf8", 0, end === -1 ? text.length : end);
}

function withTexts(entry: TarEntry, more: ReadonlyMap<string, string>): TarEntry {
  const size = more.get("size");
  const sizeBytes = size === undefined ? entry.sizeBytes : Number(size);
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw new RangeError("a size cannot be read");
  const isSparse = [...more.keys()].some((name) => name.startsWith("GNU.sparse"));
  return {
    ...entry,
    kind: isSparse ? "other" : entry.kind,
    path: more.get("path") ?? entry.path,
    target: more.get("linkpath") ?? entry.target,
    sizeBytes,
  };
}
