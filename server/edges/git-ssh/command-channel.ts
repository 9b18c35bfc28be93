/** The client's side of one command: what it sends, what it is sent, and how the command ends. */
import type { Readable } from "node:stream";
import type { ServerChannel } from "ssh2";
import { sameAsker } from "../../platform/git/processes/admission.ts";
import { createPace, type Pace, type PaceLimits } from "../../platform/git/processes/pace.ts";
import type { SlowClient } from "../../platform/git/processes/slow-clients.ts";
import type { SendWindow } from "./send-window.ts";

export interface CommandChannel {
  /** Aborts when the client has closed the channel, or was cut off because it was too slow. */
  gone: AbortSignal;
  /** Counts what it receives; code that waits for the client's data must say so. */
  pace: Pace;
  client: SlowClient;
  /** Calls back with each piece that the client sends, in order, and then with the end. To be called once. */
  receive(take: (chunk: Buffer) => Promise<void> | void, end: () => void): void;
  /** Resolves when more may be sent; at once when the client is gone. */
  send(chunk: Buffer): Promise<void>;
  /** Sends a whole stream. The source does not wait for a client that is gone. */
  sendAll(stream: Readable): Promise<void>;
  /** Ends the command. The message is shown to the user, unless something was sent before. */
  finish(exitCode: number, words?: string): Promise<void>;
}

export interface ChannelOptions {
  channel: ServerChannel;
  flow: SendWindow;
  pace: PaceLimits;
  /** Called for each piece in either direction. */
  moved(): void;
}

export function createCommandChannel(
  { channel, flow, moved, pace: limits }: ChannelOptions,
  clientGone: AbortSignal,
): CommandChannel {
  let hasSent = false;
  const pace = createPace(limits);
  const slow = new AbortController();
  const gone = AbortSignal.any([clientGone, slow.signal]);
  // Errors of a connection that is cut; `gone` reports the end.
  channel.on("error", () => undefined);
  channel.stderr.on("error", () => undefined);

  /** The library drops the callback of data that it can no longer write. */
  const written = (write: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      if (gone.aborted) return resolve();
      const done = () => {
        gone.removeEventListener("abort", done);
        resolve();
      };
      gone.addEventListener("abort", done);
      write(done);
    });

  async function send(chunk: Buffer): Promise<void> {
    if (gone.aborted) return;
    moved();
    hasSent = true;
    const taken = pace.wait();
    await written((done) => channel.write(chunk, () => done()));
    flow.sent(chunk.length);
    await flow.room(gone);
    taken();
    pace.moved(chunk.length);
    moved();
  }

  return {
    gone,
    pace,
    client: { behindMs: pace.behindMs, end: () => slow.abort(new Error("the client is too slow")) },
    send,
    async sendAll(stream) {
      for await (const chunk of stream as AsyncIterable<Buffer>) await send(chunk);
    },
    receive(answer, end) {
      const take = sameAsker(answer);
      let last = Promise.resolve();
      // Not by iteration, which would close the channel when the client has sent everything.
      channel.on("data", (chunk: Buffer) => {
        moved();
        pace.moved(chunk.length);
        channel.pause();
        last = last.then(() => take(chunk)).then(() => void channel.resume());
      });
      const endOnce = once(end);
      const ending = () => void last.then(endOnce);
      channel.once("end", ending);
      slow.signal.addEventListener("abort", ending, { once: true });
    },
    async finish(exitCode, words) {
      channel.resume();
      if (slow.signal.aborted) channel.close();
      // The library mixes both up if the client's window closes after something was sent.
      if (words && !hasSent)
        await written((done) => channel.stderr.write(`${words.trimEnd()}\n`, () => done()));
      if (gone.aborted) return;
      channel.exit(exitCode);
      channel.end();
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
