/** Reads a file as `createByteReader` reads a stream. What is skipped is not read, and the file's own position stays where it is. */
import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { fairTurns } from "../fair-turns.ts";
import type { ByteReader } from "./byte-reader.ts";

/** Enough for a header after a large file, and for those of small files that follow each other. */
const [leastWindowBytes, mostWindowBytes] = [4 * 1024, 64 * 1024];
const pieceBytes = 1024 * 1024;
const atOnceBytes = 128 * 1024;

/** From `at` on; the file must not change. What it gives is valid until more is asked for. The caller closes the file. */
export function createFileReader(file: FileHandle, at = 0): ByteReader {
  let window: Buffer = Buffer.alloc(0);
  /** Of the window's first byte. */
  let start = at;
  let windowBytes = leastWindowBytes;
  const turn = fairTurns();
  /** Of the whole file, once it was asked. */
  let size: number | null = null;

  async function readAt(place: number, count: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(count);
    let filled = 0;
    while (filled < count) {
      await turn();
      const bytesRead = readSync(
        file.fd,
        bytes,
        filled,
        Math.min(count - filled, atOnceBytes),
        place + filled,
      );
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }

  async function peek(count: number): Promise<Buffer> {
    if (window.length < count) {
      window = await readAt(start, Math.max(count, windowBytes));
      windowBytes = Math.min(2 * windowBytes, mostWindowBytes);
    }
    if (window.length < count) throw new RangeError("it ends early");
    return window.subarray(0, count);
  }

  function pass(count: number): void {
    window = window.subarray(count);
    start += count;
  }

  async function next(maxBytes: number): Promise<Buffer> {
    const piece = window.length > 0 ? window.subarray(0, maxBytes) : await readAt(start, maxBytes);
    pass(piece.length);
    return piece;
  }

  return {
    peek,
    async take(count) {
      const bytes = await peek(count);
      pass(count);
      return bytes;
    },
    async skip(count) {
      if (count > window.length) {
        size ??= (await file.stat()).size;
        if (size < start + count) throw new RangeError("it ends early");
        windowBytes = leastWindowBytes;
      }
      pass(count);
    },
    async *pieces(count) {
      for (let left = count; left > 0;) {
        const piece = await next(Math.min(left, pieceBytes));
        if (piece.length === 0) throw new RangeError("it ends early");
        left -= piece.length;
        yield piece;
      }
    },
    async *remaining() {
      for (let piece = await next(pieceBytes); piece.length > 0; piece = await next(pieceBytes)) yield piece;
    },
    async rest(maxBytes) {
      const bytes = await readAt(start, maxBytes + 1);
      pass(bytes.length);
      if (bytes.length > maxBytes) throw new RangeError("more follows than there may be");
      return bytes;
    },
  };
}
