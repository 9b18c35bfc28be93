/**
 * Reads one raw output file as its masked stream, by offset. The masked stream (masking, then splitting of long
 * lines) depends on the raw bytes alone, so reading may go back to any earlier place and gives the same bytes.
 * The raw file is the spool; here only positions are remembered.
 */
import type { FileHandle } from "node:fs/promises";
import { LogCut } from "./log-cut.ts";
import { countNewlines, splitLines } from "./line-splitter.ts";
import { maskChunk } from "./masker.ts";

/** A place where reading can begin: raw and masked offsets that belong together, and the state between. */
export interface Position {
  raw: number;
  masked: number;
  /** Number of the line that the next byte belongs to, from 0. */
  line: number;
  /** Bytes of that line before this place. */
  column: number;
  /** See `MaskStep.covered`. */
  covered: number;
}

export const streamStart: Position = { raw: 0, masked: 0, line: 0, column: 0, covered: 0 };

export interface MaskedChunk {
  bytes: Buffer;
  /** Masked offset of the first byte. */
  offset: number;
  line: number;
  /** The first byte begins its line. */
  atLineStart: boolean;
}

/** Raw bytes a read, at least; what comes out is about as long, so a frame is filled. */
const leastBytes = 64 * 1024;

export class MaskedReader {
  readonly #forms: readonly Buffer[];
  readonly #lineBytes: number;
  readonly #buffer: Buffer;
  #checkpoints: Position[] = [streamStart];
  #position = streamStart;
  /** Bytes before this masked offset are read past, not given out: a rewind lands on the checkpoint before it. */
  #skipTo = 0;

  constructor(forms: readonly Buffer[], lineBytes: number) {
    this.#forms = forms;
    this.#lineBytes = lineBytes;
    // What may be the beginning of a form is held back, so a read that is no longer than a form might settle nothing, for ever.
    const longest = forms.reduce((most, { length }) => Math.max(most, length), 0);
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(leastBytes, 2 * longest));
  }

  get position(): Position {
    return this.#position;
  }

  /** The next read begins at this masked offset, which must lie at or after the oldest checkpoint kept. */
  seek(masked: number): void {
    this.#position = this.#checkpoints.findLast((c) => c.masked <= masked) ?? streamStart;
    this.#skipTo = masked;
  }

  /** Continues from a position that an earlier process noted. */
  restore(position: Position): void {
    this.#position = position;
    this.#checkpoints.push(position);
    this.#skipTo = position.masked;
  }

  /** Checkpoints before the one that `masked` needs are forgotten, save those at or before `keep`. */
  forget(masked: number, keep = -1): void {
    const needed = this.#checkpoints.findLastIndex((c) => c.masked <= masked);
    if (needed > 0) this.#checkpoints = this.#checkpoints.filter((c, i) => i >= needed || c.masked <= keep);
  }

  checkpointBefore(masked: number): Position {
    return this.#checkpoints.findLast((c) => c.masked <= masked) ?? streamStart;
  }

  /**
   * The next bytes of the masked stream, or null when nothing more can be told yet. `endAt` is the raw size of a
   * file that grows no more, else null; then held-back bytes come out too. Throws `LogCut`.
   */
  async read(file: FileHandle, endAt: number | null): Promise<MaskedChunk | null> {
    for (;;) {
      const most = this.#buffer.length;
      const wanted = endAt === null ? most : Math.min(most, endAt - this.#position.raw);
      if (wanted <= 0) return null;
      const bytesRead = await this.#readAt(file, wanted);
      if (bytesRead === 0) {
        if (endAt !== null || (await file.stat()).size < this.#position.raw) throw new LogCut();
        return null;
      }
      const final = endAt !== null && this.#position.raw + bytesRead >= endAt;
      const chunk = this.#transform(this.#buffer.subarray(0, bytesRead), final);
      if (chunk === "held") return null;
      if (chunk) return chunk;
    }
  }

  async #readAt(file: FileHandle, length: number): Promise<number> {
    try {
      return (await file.read(this.#buffer, 0, length, this.#position.raw)).bytesRead;
    } catch (error) {
      throw new LogCut(error);
    }
  }

  #transform(raw: Buffer, final: boolean): MaskedChunk | "held" | null {
    const from = this.#position;
    const masked = maskChunk(this.#forms, { raw, covered: from.covered, final });
    if (masked.consumed === 0) return "held";
    const split = splitLines(masked.out, from.column, this.#lineBytes);
    this.#position = {
      raw: from.raw + masked.consumed,
      masked: from.masked + split.out.length,
      line: from.line + split.newlines,
      column: split.column,
      covered: masked.covered,
    };
    const last = this.#checkpoints.at(-1);
    if (!last || this.#position.masked > last.masked) this.#checkpoints.push(this.#position);
    if (split.out.length === 0 || this.#position.masked <= this.#skipTo) return null;
    return this.#cut(from, split.out);
  }

  /** Copies, since the read buffer is used again. */
  #cut(from: Position, out: Buffer): MaskedChunk {
    const skipped = Math.max(0, this.#skipTo - from.masked);
    const before = out.subarray(0, skipped);
    return {
      bytes: Buffer.from(out.subarray(skipped)),
      offset: from.masked + skipped,
      line: from.line + countNewlines(before),
      atLineStart: skipped === 0 ? from.column === 0 : before.at(-1) === 10,
    };
  }
}
