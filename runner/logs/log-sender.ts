/**
 * All log streams of this runner over the one connection: channels, credit, acknowledgements. Streams outlive
 * connections; `attach` gives each its channel again after a welcome.
 */
import type { LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { LogStream } from "./log-stream.ts";
import { type EofAnswer, type LogOutlet, StreamPump } from "./stream-pump.ts";

export interface LogTransport {
  up: boolean;
  bufferedBytes(): number;
  sendBinary(bytes: Uint8Array): void;
}

export type SendEof = LogOutlet["sendEof"];

/** More than this in the socket means that the network is slower than the log. */
const maxBufferedBytes = 1024 * 1024;
const refillMs = 10;

export class LogSender {
  readonly #transport: LogTransport;
  readonly #pumps = new Map<string, StreamPump>();
  #window = 0;
  #windowPerStream = 0;
  #refill: NodeJS.Timeout | null = null;

  constructor(transport: LogTransport) {
    this.#transport = transport;
  }

  /** Begins to move a stream; `sendEof` is given by its job. */
  open({ id, path, stream }: { id: string; path: string; stream: LogStream }, sendEof: SendEof): StreamPump {
    const pump = new StreamPump(
      { id, path, stream },
      {
        writable: () => this.#writable(),
        room: () => this.#room(),
        sendFrame: (frame) => this.#transport.sendBinary(frame),
        sendEof,
      },
    );
    this.#pumps.set(id, pump);
    return pump;
  }

  /** The stream is delivered or given up. */
  close(id: string): void {
    this.#pumps.get(id)?.close();
    this.#pumps.delete(id);
  }

  connected(windows: { windowBytes: number; windowBytesPerStream: number }): void {
    this.#window = windows.windowBytes;
    this.#windowPerStream = windows.windowBytesPerStream;
  }

  /** Where the server wants the stream from, on which channel. */
  attach(stream: LeaseStream): void {
    this.#pumps.get(stream.id)?.attach(stream, this.#windowPerStream);
  }

  disconnected(): void {
    for (const pump of this.#pumps.values()) pump.detach();
  }

  range(id: string): { from: number; end: number } | null {
    return this.#pumps.get(id)?.range ?? null;
  }

  acknowledge(channel: number, nextOffset: number): void {
    this.#byChannel(channel)?.acknowledge(nextOffset);
    this.#wakeAll();
  }

  rewind(channel: number, expected: number): void {
    this.#byChannel(channel)?.rewind(expected);
  }

  setWindow(channel: number | null, bytes: number): void {
    if (channel !== null) return this.#byChannel(channel)?.setWindow(bytes);
    this.#window = bytes;
    this.#wakeAll();
  }

  #byChannel(channel: number): StreamPump | undefined {
    for (const pump of this.#pumps.values()) if (pump.channel === channel) return pump;
    return undefined;
  }

  #room(): number {
    let unacked = 0;
    for (const pump of this.#pumps.values()) unacked += pump.unacked;
    return this.#window - unacked;
  }

  #writable(): boolean {
    if (!this.#transport.up) return false;
    if (this.#transport.bufferedBytes() < maxBufferedBytes) return true;
    if (this.#refill === null)
      this.#refill = setTimeout(() => {
        this.#refill = null;
        this.#wakeAll();
      }, refillMs);
    return false;
  }

  /** Only those that wait for credit profit; the others look once and wait again. */
  #wakeAll(): void {
    for (const pump of this.#pumps.values()) pump.wake();
  }
}

export type { EofAnswer };
