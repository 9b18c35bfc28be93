/** Writes an index of Git, version 2, for questions about files that are checked out nowhere (`gitformat-index`). */
import { createHash } from "node:crypto";

export interface IndexEntry {
  path: string;
  oid: string;
}

/** Bytes of an entry before its path: times and the like, which are zero here, then mode, id and flags. */
const headBytes = 62;
const modeAt = 24;
const oidAt = 40;
const flagsAt = 60;
const regularFile = 0o100644;
const maxLengthInFlags = 0xfff;

export function indexFile(entries: readonly IndexEntry[]): Buffer {
  const named = entries.map((entry) => ({ ...entry, name: Buffer.from(entry.path) }));
  named.sort((one, other) => Buffer.compare(one.name, other.name));
  const head = Buffer.alloc(12);
  head.write("DIRC", "latin1");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(named.length, 8);
  const body = Buffer.concat([head, ...named.map(entryBytes)]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** Filled with one to eight zeros up to a multiple of eight. */
function entryBytes({ name, oid }: { name: Buffer; oid: string }): Buffer {
  const length = headBytes + name.length;
  const bytes = Buffer.alloc(length + 8 - (length % 8));
  bytes.writeUInt32BE(regularFile, modeAt);
  bytes.write(oid, oidAt, "hex");
  bytes.writeUInt16BE(Math.min(name.length, maxLengthInFlags), flagsAt);
  name.copy(bytes, headBytes);
  return bytes;
}
