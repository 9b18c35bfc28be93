/**
 * Moves one log stream to the server: reads frames as credit allows, sends them, goes back when told, and ends with
 * `log_eof`. Lives as long as the stream has bytes that are not acknowledged, over any number of connections.
 */
import type { LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import { frameBytes } from "./frame-bytes.ts";
import { Growth } from "./growth.ts";
import type { LogStream, StreamTotals } from "./log-stream.ts";

/** What the pump needs of the connection; all of it may be absent at times. */
export interface LogOutlet {
  /** False while there is no connection or too much is buffered. */
  writable(): boolean;
  /** Credit that is left on the whole connection, bytes. */
  room(): number;
  sendFrame(frame: Uint8Array): void;
  /** Sends `log_eof`; resolves with what the server said. */
  sendEof(streamId: string, totals: StreamTotals): Promise<EofAnswer>;
}
export type EofAnswer = { kind: "stored" } | { kind: "from"; offset: number } | { kind: "again" | "refused" };

/** Shorter frames are followed by a short pause, so that lines travel together. */
const gatherBelowBytes = 16 * 1024;

export class StreamPump {
  readonly id: string;
  readonly #stream: LogStream;
  readonly #outlet: LogOutlet;
  readonly #growth: Growth;
  #channel: number | null = null;
  #window = 0;
  #acked = 0;
  #rewindTo: number | null = null;
  #closed = false;
  #ended = false;
  readonly #finished = Promise.withResolvers<void>();

  constructor({ id, path, stream }: { id: string; path: string; stream: LogStream }, outlet: LogOutlet) {
    this.id = id;
    this.#stream = stream;
    this.#outlet = outlet;
    this.#growth = new Growth(path);
    void this.#run().catch((error: unknown) => this.#finished.reject(error));
    this.#finished.promise.catch(() => undefined);
  }

  /** Resolves once the server has the whole stream, or the stream was closed; rejects when it cannot be read. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  get channel(): number | null {
    return this.#channel;
  }

  /** Sent and not acknowledged, bytes. */
  get unacked(): number {
    return this.#channel === null ? 0 : Math.max(0, this.#stream.next - this.#acked);
  }

  get acked(): number {
    return this.#acked;
  }

  /** What could be sent again: for `hello`. */
  get range(): { from: number; end: number } {
    return { from: Math.min(this.#acked, this.#stream.next), end: this.#stream.next };
  }

  attach(stream: LeaseStream, windowBytes: number): void {
    this.#channel = stream.channel;
    this.#window = windowBytes;
    this.#goTo(stream.nextOffset);
  }

  detach(): void {
    this.#channel = null;
  }

  setWindow(bytes: number): void {
    this.#window = bytes;
    this.wake();
  }

  acknowledge(nextOffset: number): void {
    if (nextOffset <= this.#acked || nextOffset > this.#stream.next) return;
    this.#acked = nextOffset;
    this.#stream.acknowledged(nextOffset);
    this.wake();
  }

  /** The server asks again for bytes; one that asks for acknowledged ones was overtaken by what it stored since. */
  rewind(expected: number): void {
    if (expected >= this.#acked) this.#goTo(expected);
  }

  /** Look at the file, the credit and the connection again. */
  wake(): void {
    this.#growth.wake();
  }

  /** The raw file grows no more. */
  async end(): Promise<void> {
    await this.#stream.end();
    this.#ended = true;
    this.#growth.hurry();
    this.wake();
  }

  close(): void {
    this.#closed = true;
    this.#growth.close();
  }

  #goTo(offset: number): void {
    this.#acked = offset;
    this.#rewindTo = offset;
    this.wake();
  }

  async #run(): Promise<void> {
    try {
      while (!this.#closed) if (!(await this.#turn())) await this.#growth.wait();
    } finally {
      await this.#stream.close();
      this.#finished.resolve();
    }
  }

  /** One frame or the end. False when there is nothing to do until woken. */
  async #turn(): Promise<boolean> {
    if (this.#channel === null || !this.#outlet.writable()) return false;
    if (this.#rewindTo !== null) await this.#settleRewind();
    const channel = this.#channel;
    const room = Math.min(this.#window - (this.#stream.next - this.#acked), this.#outlet.room());
    const bytes = await this.#stream.nextFrame(room);
    if (!bytes) return this.#stream.drained ? this.#finish() : false;
    const frame = await frameBytes(channel, bytes);
    // Cut off or sent back meanwhile: these bytes are read again.
    if (this.#channel !== channel || this.#rewindTo !== null) return true;
    this.#outlet.sendFrame(frame);
    this.#growth.heat();
    if (bytes.bytes.length < gatherBelowBytes && !this.#ended) await this.#growth.gather();
    return true;
  }

  /** Places the reader at the offset the server requested; after a restart that means reading up to it. */
  async #settleRewind(): Promise<void> {
    const target = this.#rewindTo ?? 0;
    this.#rewindTo = null;
    if (target <= this.#stream.next) this.#stream.rewind(target);
    while (this.#stream.next < target) if (!(await this.#stream.nextFrame(target - this.#stream.next))) break;
    this.#stream.acknowledged(Math.min(target, this.#stream.next));
  }

  async #finish(): Promise<boolean> {
    const answer = await this.#outlet.sendEof(this.id, this.#stream.totals());
    if (answer.kind === "stored" || answer.kind === "refused") this.close();
    if (answer.kind === "from") this.#goTo(answer.offset);
    return answer.kind !== "again";
  }
}
