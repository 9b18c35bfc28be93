/** A viewer of the log watch socket that keeps what it got: bytes per stream, messages, how it ended. */
import { WebSocket } from "ws";
import type { WatchMessage } from "@forgeline/schemas/logs/watch.ts";
import { WatchMessage as WatchMessageSchema } from "@forgeline/schemas/logs/watch.ts";
import { decodeLogFrame } from "@forgeline/schemas/logs/frame.ts";
import { rawBytes } from "@forgeline/server/domains/pipelines/logs/frame-bytes.ts";

export interface TestViewer {
  socket: WebSocket;
  messages: WatchMessage[];
  /** What came of a stream since its (last) announcement; throws when frames did not adjoin. */
  text(streamId: string): Buffer;
  /** Number of the line at which the first frame of the stream began. */
  firstLine(streamId: string): number | undefined;
  closed: Promise<{ code: number; reason: string }>;
  opened: Promise<void>;
}

interface Received {
  next: number;
  firstLine: number | undefined;
  parts: Buffer[];
}

export function connectViewer(
  url: string,
  options: { headers?: Record<string, string>; protocols?: string[]; ca?: string } = {},
): TestViewer {
  const { protocols = [], ...rest } = options;
  const socket = new WebSocket(url, protocols, { perMessageDeflate: false, ...rest });
  const messages: WatchMessage[] = [];
  const byChannel = new Map<number, Received>();
  const byStream = new Map<string, Received>();
  let failure: Error | undefined;

  const receive = (data: Buffer, isBinary: boolean) => {
    if (!isBinary) {
      const message = WatchMessageSchema.parse(JSON.parse(data.toString("utf8")));
      messages.push(message);
      if (message.t !== "stream") return;
      const received = { next: message.offset, firstLine: undefined, parts: [] };
      byChannel.set(message.channel, received);
      byStream.set(message.stream_id, received);
      return;
    }
    const frame = decodeLogFrame(data);
    const received = byChannel.get(frame.channel);
    if (!received) throw new Error(`frame of channel ${frame.channel}, which was not announced`);
    if (frame.offset !== received.next)
      throw new Error(`frame at ${frame.offset} instead of ${received.next}`);
    received.firstLine ??= frame.firstLine;
    received.parts.push(Buffer.from(rawBytes(frame)));
    received.next += frame.rawLength;
  };
  socket.on("message", (data: Buffer, isBinary) => {
    try {
      receive(data, isBinary);
    } catch (error) {
      failure ??= error as Error;
    }
  });
  socket.on("error", () => undefined);
  return {
    socket,
    messages,
    text(streamId) {
      if (failure) throw failure;
      return Buffer.concat(byStream.get(streamId)?.parts ?? []);
    },
    firstLine: (streamId) => byStream.get(streamId)?.firstLine,
    // Not `once` of node:events: that rejects at an error, which here is only ever followed by the close.
    closed: new Promise((resolve) =>
      socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() })),
    ),
    opened: new Promise<void>((resolve) => socket.on("open", () => resolve())),
  };
}
