/**
 * One stream of a job's log: makes of a growing raw file the frames to send, from any offset that is not yet
 * acknowledged. Owns offsets, line numbers, times, checksum and the cap; knows nothing of sockets.
 *
 * One `nextFrame` at a time. `rewind` may be called between two of them; the bytes given again are the same.
 */
import type { FileHandle } from "node:fs/promises";
import { createHash } from "node:crypto";
import { maxLogFrameBytes, type TimeRun } from "@forgeline/schemas/logs/frame.ts";
import { openJobFile } from "../engine/job-file.ts";
import { countNewlines, linesBegun } from "./line-splitter.ts";
import { cappedParts, liveBytes, livePart, type LogPart, wholePart } from "./log-cap.ts";
import { LogCut } from "./log-cut.ts";
import { type MaskedChunk, MaskedReader, type Position } from "./masked-reader.ts";
import { punchHole } from "./punch-hole.ts";
import { TimeLog } from "./time-log.ts";

export interface LogStreamOptions {
  path: string;
  forms: readonly Buffer[];
  lineBytes: number;
  stepLogBytes: number;
  tailBytes: number;
  /** Where an earlier process had freed the file up to; null when it had not. */
  resumeHeldAt: Position | null;
  /** Called before a part of the file is freed: what `resumeHeldAt` must be after a restart. */
  beforePunch: (resumeAt: Position) => Promise<void>;
  /** The file was cut or cannot be read: what was given of it until then is the stream. May be called more than once. */
  onCut: (cut: LogCut) => void;
}

export interface StreamBytes {
  offset: number;
  firstLine: number;
  bytes: Buffer;
  timeRuns: TimeRun[];
}

export interface StreamTotals {
  bytes: number;
  lines: number;
  sha256: string;
  droppedBytes: number;
  droppedLines: number;
}

const punchStepBytes = 64 * 1024 * 1024;

export class LogStream {
  readonly #options: LogStreamOptions;
  readonly #reader: MaskedReader;
  readonly #times = new TimeLog();
  readonly #hash = createHash("sha256");
  #hashedTo = 0;
  #file: FileHandle | null = null;
  #parts: LogPart[];
  #marker: Buffer = Buffer.alloc(0);
  #next = 0;
  #chunk: MaskedChunk | null = null;
  #seenLines = 0;
  /** Line of the next byte to send, and whether that byte begins it. */
  #line = 0;
  #lineStart = true;
  #endAt: number | null = null;
  #total: number | null = null;
  #dropped = { bytes: 0, lines: 0 };
  /** Where holding began, and how far the held part has been read. */
  #heldFrom: Position | null = null;
  #heldAt: Position | null;
  #punchedTo = 0;
  #markerLine = 0;
  #markerAtLineStart = true;

  constructor(options: LogStreamOptions) {
    this.#options = options;
    this.#reader = new MaskedReader(options.forms, options.lineBytes);
    this.#parts = livePart(options);
    this.#heldAt = options.resumeHeldAt;
  }

  /** Offset of the next byte that `nextFrame` gives. */
  get next(): number {
    return this.#next;
  }

  /** All bytes are known and given; `totals` may be asked. */
  get drained(): boolean {
    return this.#total !== null && this.#next >= this.#total;
  }

  /** The raw file grows no more. An absent file is an empty stream. */
  async end(): Promise<void> {
    const file = await this.#open();
    this.#endAt ??= file ? (await file.stat()).size : 0;
    if (this.#endAt === 0) this.#total = 0;
  }

  /** At most `limit` bytes, or null when there is nothing to send now. */
  async nextFrame(limit: number): Promise<StreamBytes | null> {
    if (limit <= 0) return null;
    this.#chunk ??= await this.#fillOrEnd();
    if (!this.#chunk) return null;
    const chunk = this.#chunk;
    const size = Math.min(chunk.bytes.length, limit, maxLogFrameBytes);
    const bytes = chunk.bytes.subarray(0, size);
    const frame = this.#frame(chunk, bytes);
    this.#chunk = this.#rest(chunk, size);
    return frame;
  }

  /** The next frame begins at `offset` (not before what `acknowledged` was told). */
  rewind(offset: number): void {
    if (offset === this.#next) return;
    this.#chunk = null;
    this.#next = offset;
    const part = this.#partAt(offset);
    if (part && part.fileStart !== null) this.#reader.seek(part.fileStart + offset - part.start);
  }

  /** Bytes before `offset` are never asked for again. */
  acknowledged(offset: number): void {
    const part = this.#partAt(offset);
    if (!part || part.fileStart === null) return;
    const masked = part.fileStart + offset - part.start;
    this.#reader.forget(masked);
    this.#times.forgetBefore(this.#reader.checkpointBefore(masked).line);
  }

  totals(): StreamTotals {
    return {
      bytes: this.#next,
      lines: this.#line + (this.#lineStart ? 0 : 1),
      sha256: this.#hash.copy().digest("hex"),
      droppedBytes: this.#dropped.bytes,
      droppedLines: this.#dropped.lines,
    };
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  async #open(): Promise<FileHandle | null> {
    this.#file ??= await openJobFile(this.#options.path);
    return this.#file;
  }

  #partAt(offset: number): LogPart | undefined {
    return this.#parts.findLast((part) => part.start <= offset && offset < part.start + part.length);
  }

  async #fillOrEnd(): Promise<MaskedChunk | null> {
    try {
      return await this.#fill();
    } catch (error) {
      if (this.#total === null) this.#parts = wholePart(this.#next);
      this.#total = this.#next;
      this.#options.onCut(error instanceof LogCut ? error : new LogCut(error));
      return null;
    }
  }

  /** Bytes at `#next`: of the file, of the marker, or nothing yet. */
  async #fill(): Promise<MaskedChunk | null> {
    const file = await this.#open();
    if (!file) return null;
    for (;;) {
      const part = this.#partAt(this.#next);
      if (part?.fileStart === null) return this.#markerChunk(part);
      if (part) {
        const chunk = await this.#reader.read(file, this.#endAt);
        if (chunk) return this.#within(part, chunk);
        if (this.#total !== null || !this.#readAll()) return null;
        this.#finish(wholePart(this.#reader.position.masked));
      } else {
        if (this.#total !== null || !(await this.#hold(file))) return null;
      }
    }
  }

  #readAll(): boolean {
    return this.#endAt !== null && this.#reader.position.raw >= this.#endAt;
  }

  #finish(parts: LogPart[]): void {
    this.#parts = parts;
    this.#total = parts.reduce((sum, part) => sum + part.length, 0);
  }

  #markerChunk(part: LogPart): MaskedChunk {
    const bytes = this.#marker.subarray(this.#next - part.start);
    const before = this.#marker.subarray(0, this.#next - part.start);
    const line = this.#markerLine + countNewlines(before);
    this.#times.seen(line, Date.now());
    const atLineStart = before.length > 0 ? before.at(-1) === 10 : this.#markerAtLineStart;
    return { bytes, offset: this.#next, line, atLineStart };
  }

  /** Notes when the chunk's lines were seen, and cuts it to the part that is being sent. */
  #within(part: LogPart, chunk: MaskedChunk): MaskedChunk {
    this.#noteTimes(chunk);
    const room = part.start + part.length - this.#next;
    return chunk.bytes.length > room ? { ...chunk, bytes: chunk.bytes.subarray(0, room) } : chunk;
  }

  #noteTimes(chunk: MaskedChunk): void {
    const firstBegun = chunk.line + (chunk.atLineStart ? 0 : 1);
    const begun = linesBegun(chunk.bytes, chunk.atLineStart);
    if (firstBegun + begun <= this.#seenLines) return;
    this.#times.seen(Math.max(firstBegun, this.#seenLines), Date.now());
    this.#seenLines = firstBegun + begun;
  }

  #frame(chunk: MaskedChunk, bytes: Buffer): StreamBytes {
    const part = this.#partAt(this.#next);
    const shift = part?.lineShift ?? 0;
    const offset = this.#next;
    const begun = linesBegun(bytes, chunk.atLineStart);
    const timeRuns = this.#times.runs(chunk.line + (chunk.atLineStart ? 0 : 1), begun);
    this.#next += bytes.length;
    this.#line = chunk.line + shift + countNewlines(bytes);
    this.#lineStart = bytes.at(-1) === 10;
    if (this.#next > this.#hashedTo) {
      this.#hash.update(bytes.subarray(Math.max(0, this.#hashedTo - offset)));
      this.#hashedTo = this.#next;
    }
    return { offset, firstLine: chunk.line + shift, bytes, timeRuns };
  }

  #rest(chunk: MaskedChunk, size: number): MaskedChunk | null {
    if (size === chunk.bytes.length) return null;
    const given = chunk.bytes.subarray(0, size);
    return {
      bytes: chunk.bytes.subarray(size),
      offset: chunk.offset + size,
      line: chunk.line + countNewlines(given),
      atLineStart: given.at(-1) === 10,
    };
  }

  /** Past the live bytes: reads on without sending. True once the end is known and the parts are decided. */
  async #hold(file: FileHandle): Promise<boolean> {
    this.#heldFrom ??= this.#reader.position;
    if (this.#heldAt && this.#reader.position.masked < this.#heldAt.masked)
      this.#reader.restore(this.#heldAt);
    const { stepLogBytes, tailBytes } = this.#options;
    for (;;) {
      const chunk = await this.#reader.read(file, this.#endAt);
      if (!chunk) break;
      this.#noteTimes(chunk);
      const tailAt = this.#reader.position.masked - tailBytes;
      if (this.#reader.position.masked > stepLogBytes) await this.#punch(file, this.#heldFrom, tailAt);
      this.#reader.forget(tailAt - 2 * maxLogFrameBytes, liveBytes(this.#options));
    }
    this.#heldAt = this.#reader.position;
    if (!this.#readAll()) return false;
    const fileBytes = this.#reader.position.masked;
    if (fileBytes <= stepLogBytes) {
      this.#finish(wholePart(fileBytes));
      this.#reader.seek(this.#next);
    } else await this.#cap(file, fileBytes);
    return true;
  }

  async #punch(file: FileHandle, from: Position, tailAt: number): Promise<void> {
    const to = this.#reader.checkpointBefore(tailAt);
    const start = Math.max(from.raw, this.#punchedTo);
    if (to.raw - start < punchStepBytes) return;
    await this.#options.beforePunch(to);
    await punchHole(file, start, to.raw - start);
    this.#punchedTo = to.raw;
  }

  async #cap(file: FileHandle, fileBytes: number): Promise<void> {
    const head = { masked: this.#next, line: this.#line, column: this.#lineStart ? 0 : 1 };
    const tail = await this.#tailStart(file, fileBytes - this.#options.tailBytes);
    const capped = cappedParts({ head, tail, fileBytes });
    this.#marker = capped.marker;
    this.#markerLine = head.line;
    this.#markerAtLineStart = head.column === 0;
    this.#dropped = { bytes: capped.bytes, lines: capped.lines };
    this.#finish(capped.parts);
    this.#reader.seek(tail.masked);
  }

  /** The beginning of a line at or soon after `target`; `target` itself where the next newline is far. */
  async #tailStart(file: FileHandle, target: number): Promise<{ masked: number; line: number }> {
    this.#reader.seek(target);
    const chunk = await this.#reader.read(file, this.#endAt);
    const newline = chunk?.bytes.indexOf(10) ?? -1;
    if (!chunk || chunk.atLineStart || newline === -1)
      return { masked: target, line: chunk?.line ?? this.#reader.position.line };
    return { masked: chunk.offset + newline + 1, line: chunk.line + 1 };
  }
}
