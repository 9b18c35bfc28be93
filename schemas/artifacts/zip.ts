/**
 * The form of an artifact: a ZIP file whose entries are stored as they are, so that one file is a range of its bytes. Every
 * size stands in the entry's own header, so a reader of the stream needs no look ahead; what kind of file it is stands in the
 * list at the end. Pure.
 */
import { maxArtifactFiles, maxPathBytes } from "./limits.ts";

export interface ZipEntry {
  path: string;
  sizeBytes: number;
  crc32: number;
  modifiedMs: number;
  /** As of the file system, with the kind of file: 0o100644, 0o100755, 0o120777. */
  mode: number;
  /** Of its header. */
  offset: number;
}

export const fileMode = 0o100644;
export const programMode = 0o100755;
export const linkMode = 0o120777;

const local = 0x04034b50;
const central = 0x02014b50;
const end = 0x06054b50;
const localBytes = 30;
const centralBytes = 46;
export const endBytes = 22;
/** Names are UTF-8. */
const flags = 0x0800;
const version = 20;
const unix = 3 << 8;

export function headerBytes(path: string): number {
  return localBytes + Buffer.byteLength(path);
}

export function indexEntryBytes(path: string): number {
  return centralBytes + Buffer.byteLength(path);
}

export function encodeHeader(entry: Omit<ZipEntry, "offset" | "mode">): Buffer {
  const name = Buffer.from(entry.path);
  const bytes = Buffer.alloc(localBytes + name.length);
  bytes.writeUInt32LE(local, 0);
  writeCommon(bytes, 4, { ...entry, nameBytes: name.length });
  name.copy(bytes, localBytes);
  return bytes;
}

/** What both headers have, from the needed version to the length of the name. */
function writeCommon(
  bytes: Buffer,
  at: number,
  { crc32, sizeBytes, modifiedMs, nameBytes }: Omit<ZipEntry, "offset" | "mode"> & { nameBytes: number },
): void {
  const { date, time } = dosTime(modifiedMs);
  bytes.writeUInt16LE(version, at);
  bytes.writeUInt16LE(flags, at + 2);
  bytes.writeUInt16LE(time, at + 6);
  bytes.writeUInt16LE(date, at + 8);
  bytes.writeUInt32LE(crc32, at + 10);
  bytes.writeUInt32LE(sizeBytes, at + 14);
  bytes.writeUInt32LE(sizeBytes, at + 18);
  bytes.writeUInt16LE(nameBytes, at + 22);
}

function dosTime(modifiedMs: number): { date: number; time: number } {
  const at = new Date(modifiedMs);
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107);
  return {
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

export function encodeIndexEntry(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.path);
  const bytes = Buffer.alloc(centralBytes + name.length);
  bytes.writeUInt32LE(central, 0);
  bytes.writeUInt16LE(unix | version, 4);
  writeCommon(bytes, 6, { ...entry, nameBytes: name.length });
  bytes.writeUInt32LE((entry.mode << 16) >>> 0, 38);
  bytes.writeUInt32LE(entry.offset, 42);
  name.copy(bytes, centralBytes);
  return bytes;
}

export interface ZipIndexPlace {
  count: number;
  offset: number;
  sizeBytes: number;
}

export function encodeEnd({ count, offset, sizeBytes }: ZipIndexPlace): Buffer {
  const bytes = Buffer.alloc(endBytes);
  bytes.writeUInt32LE(end, 0);
  bytes.writeUInt16LE(count, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(sizeBytes, 12);
  bytes.writeUInt32LE(offset, 16);
  return bytes;
}

/** Of the last `endBytes` of an artifact of this size. Throws `RangeError` for anything but what `encodeEnd` makes. */
export function decodeEnd(bytes: Buffer, totalBytes: number): ZipIndexPlace {
  if (bytes.length !== endBytes || bytes.readUInt32LE(0) !== end)
    throw new RangeError("it has no list of files");
  const place = {
    count: bytes.readUInt16LE(10),
    sizeBytes: bytes.readUInt32LE(12),
    offset: bytes.readUInt32LE(16),
  };
  if (place.offset + place.sizeBytes + endBytes !== totalBytes)
    throw new RangeError("its list of files is not at its end");
  return place;
}

/** What a header says; null where the bytes are the beginning of the list of files. Throws `RangeError` for anything else. */
export function decodeHeader(
  bytes: Buffer,
): (Pick<ZipEntry, "sizeBytes" | "crc32"> & { nameBytes: number }) | null {
  const kind = bytes.readUInt32LE(0);
  if (kind === central) return null;
  if (kind !== local || bytes.readUInt16LE(8) !== 0 || bytes.readUInt16LE(28) !== 0)
    throw new RangeError("it is not in the form of an artifact");
  return {
    crc32: bytes.readUInt32LE(14),
    sizeBytes: bytes.readUInt32LE(22),
    nameBytes: bytes.readUInt16LE(26),
  };
}
export const headerStartBytes = localBytes;

/** The list of files. Throws `RangeError` unless each entry is whole, lies before the list and has a path of its own that leads nowhere else. */
export function decodeIndex(bytes: Buffer, place: ZipIndexPlace): ZipEntry[] {
  const entries: ZipEntry[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < bytes.length;) {
    const entry = decodeIndexEntry(bytes, at);
    if (seen.has(entry.path) || entry.offset + headerBytes(entry.path) + entry.sizeBytes > place.offset)
      throw new RangeError("its list of files is wrong");
    seen.add(entry.path);
    entries.push(entry);
    at += indexEntryBytes(entry.path);
  }
  if (entries.length !== place.count || entries.length > maxArtifactFiles)
    throw new RangeError("its list of files has another length");
  return entries;
}

function decodeIndexEntry(bytes: Buffer, at: number): ZipEntry {
  const isWhole = at + centralBytes <= bytes.length && bytes.readUInt32LE(at) === central;
  const nameBytes = isWhole ? bytes.readUInt16LE(at + 28) : 0;
  const name = bytes.subarray(at + centralBytes, at + centralBytes + nameBytes);
  const path = name.toString();
  const isPlain = isWhole && bytes.readUInt32LE(at + 30) === 0 && bytes.readUInt16LE(at + 10) === 0;
  if (!isPlain || name.length !== nameBytes || !Buffer.from(path).equals(name) || !isArtifactPath(path))
    throw new RangeError("its list of files is wrong");
  return {
    path,
    crc32: bytes.readUInt32LE(at + 16),
    sizeBytes: bytes.readUInt32LE(at + 24),
    modifiedMs: 0,
    mode: bytes.readUInt32LE(at + 38) >>> 16,
    offset: bytes.readUInt32LE(at + 42),
  };
}

/** Whether a file can have this path: relative, with `/` between names, and leading nowhere else on any system. */
export function isArtifactPath(path: string): boolean {
  if (path.includes("\0") || path.includes("\\") || Buffer.byteLength(path) > maxPathBytes) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
