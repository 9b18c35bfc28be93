/** Headers of tar archives, as far as caches need them: files, directories and links. Pure. */

export const blockBytes = 512;
/** Of the texts that stand in front of an entry whose path is long. */
export const maxExtendedBytes = 64 * 1024;

export interface TarEntry {
  kind: "file" | "directory" | "link" | "hard_link" | "other";
  path: string;
  /** Of a link; of a hard link, the path of an earlier entry. */
  target: string;
  sizeBytes: number;
  /** Permissions, the bits for other users' identities included. */
  mode: number;
  modifiedS: number;
}

/** What a header of the archive says; `extended` stands for texts about the entry that follows. */
export type TarHeader =
  | TarEntry
  | { kind: "extended"; form: "pax" | "path" | "target" | "ignored"; sizeBytes: number };

const kinds: Readonly<Record<string, TarEntry["kind"]>> = {
  "": "file",
  "0": "file",
  "7": "file",
  "1": "hard_link",
  "2": "link",
  "5": "directory",
};
const forms = { x: "pax", g: "ignored", L: "path", K: "target" } as const;

/** null at the end of the archive. Throws `RangeError` for what is no header. */
export function decodeTarHeader(block: Buffer): TarHeader | null {
  if (block.every((byte) => byte === 0)) return null;
  const sizeBytes = readNumber(block.subarray(124, 136));
  if (readNumber(block.subarray(148, 156)) !== checksum(block)) throw new RangeError("a checksum is wrong");
  const type = readText(block.subarray(156, 157));
  if (type === "x" || type === "g" || type === "L" || type === "K")
    return { kind: "extended", form: forms[type], sizeBytes };
  const isUstar = readText(block.subarray(257, 262)) === "ustar";
  const prefix = isUstar && block[262] === 0 ? readText(block.subarray(345, 500)) : "";
  const name = readText(block.subarray(0, 100));
  const kind = kinds[type] ?? "other";
  return {
    kind,
    path: prefix === "" ? name : `${prefix}/${name}`,
    target: readText(block.subarray(157, 257)),
    sizeBytes,
    mode: readNumber(block.subarray(100, 108)) & 0o7777,
    modifiedS: readNumber(block.subarray(136, 148)),
  };
}

function readText(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? field.length : end);
}

/** Octal digits, or with the first bit set a large number in binary. */
function readNumber(field: Buffer): number {
  if ((field[0] ?? 0) & 0x80) {
    const value = Number(field.readBigUInt64BE(field.length - 8));
    if (!Number.isSafeInteger(value)) throw new RangeError("a number is too large");
    return value;
  }
  const text = readText(field).trim();
  if (!/^[0-7]*$/.test(text)) throw new RangeError("a number cannot be read");
  return text === "" ? 0 : Number.parseInt(text, 8);
}

/** Of the header with spaces in the place of the sum. */
function checksum(block: Buffer): number {
  let sum = 8 * 32;
  for (let at = 0; at < blockBytes; at += 1) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}

/** Texts of a pax header by name. Throws `RangeError`. */
export function decodePax(bytes: Buffer): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(32, at);
    const length = Number(bytes.toString("latin1", at, space));
    const end = at + length;
    if (space === -1 || !Number.isInteger(length) || end <= space + 1 || end > bytes.length)
      throw new RangeError("an extended header cannot be read");
    const record = bytes.toString("utf8", space + 1, end - 1);
    const sign = record.indexOf("=");
    if (sign > 0) found.set(record.slice(0, sign), record.slice(sign + 1));
    at = end;
  }
  return found;
}

export interface TarOwner {
  uid: number;
  gid: number;
}

const largestOctal = 8 ** 11 - 1;
const nameBytes = 100;
const typeOf = { file: "0", hard_link: "1", link: "2", directory: "5" } as const;
export type WrittenEntry = TarEntry & { kind: keyof typeof typeOf };

/** All that stands in front of the bytes of an entry. */
export function encodeTarHeader(entry: WrittenEntry, owner: TarOwner): Buffer {
  const sizeBytes = entry.kind === "file" ? entry.sizeBytes : 0;
  const path = entry.kind === "directory" ? `${entry.path}/` : entry.path;
  const texts: string[] = [];
  if (Buffer.byteLength(path) > nameBytes) texts.push(paxRecord("path", path));
  if (Buffer.byteLength(entry.target) > nameBytes) texts.push(paxRecord("linkpath", entry.target));
  if (sizeBytes > largestOctal) texts.push(paxRecord("size", String(sizeBytes)));
  const header = { ...entry, path, sizeBytes, type: typeOf[entry.kind], ...owner };
  const block = encodeBlock(header);
  if (texts.length === 0) return block;
  const pax = Buffer.from(texts.join(""));
  const front = { ...header, path: "pax", target: "", type: "x", sizeBytes: pax.length, mode: 0o644 };
  return Buffer.concat([encodeBlock(front), pax, Buffer.alloc(paddingOf(pax.length)), block]);
}

/** Its own length is part of the record. */
function paxRecord(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes;
  while (String(length).length + bytes !== length) length = String(length).length + bytes;
  return `${length}${rest}`;
}

function encodeBlock(
  header: Pick<TarEntry, "path" | "target" | "sizeBytes" | "mode" | "modifiedS"> &
    TarOwner & { type: string },
): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, digits: number) =>
    block.write(`${Math.trunc(Math.max(0, value)).toString(8).padStart(digits, "0")}`, at, "latin1");
  Buffer.from(header.path).copy(block, 0, 0, nameBytes);
  octal(header.mode, 100, 7);
  octal(header.uid, 108, 7);
  octal(header.gid, 116, 7);
  octal(Math.min(header.sizeBytes, largestOctal), 124, 11);
  octal(Math.min(header.modifiedS, largestOctal), 136, 11);
  block.write(header.type, 156, "latin1");
  Buffer.from(header.target).copy(block, 157, 0, nameBytes);
  block.write("ustar\0" + "00", 257, "latin1");
  octal(checksum(block), 148, 6);
  block.write("\0 ", 154, "latin1");
  return block;
}

/** From the end of an entry's bytes to the next header. */
export function paddingOf(sizeBytes: number): number {
  return (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
}

export const tarEnd = Buffer.alloc(2 * blockBytes);
