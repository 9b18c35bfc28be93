/**
 * The transport of one runner connection: frames in, parsed; messages out, numbered. Anything but a protocol message is
 * answered with `bad_message` if it has an id, and ends the connection if it continues. Reads no faster than messages are
 * processed.
 */
import type { RunnerMessage, ServerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import { decodeLogFrame, type LogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { WebSocket } from "ws";
import { createTokenBucket } from "../../platform/token-bucket.ts";
import { cutOff, endSocket } from "../../platform/sockets/end-socket.ts";
import { createBackpressure, type Backpressure } from "./backpressure.ts";
import { costOfReading, readMessage } from "./text.ts";

const maxBadFrames = 5;
/** Each message in progress may hold a database connection. */
const messageBacklog = { atOnce: 4, max: 64 };
/** All waiting log frames are written together; the windows bound their bytes. */
const frameBacklog = { atOnce: Infinity, max: 512 };
/** Answers that wait for a runner to read them. */
const unreadBytes = 1024 * 1024;
/** Frames are not lost but read later: a runner that sends much is only slowed down. */
const frameRate = { burst: 5_000, perSecond: 5_000 };

type WithoutId<T> = T extends { id: number } ? Omit<T, "id"> : never;
/** A message that gets its number here; answers carry the number of what they answer. */
export type NumberedMessage = WithoutId<Exclude<ServerMessage, { t: "ack" | "nack" | "heartbeat_ack" }>>;
export type NackCode = Extract<ServerMessage, { t: "nack" }>["code"];

export interface LinkHandlers {
  /** The maximum length of a message from this runner now. */
  maxBytes(): number;
  /** Takes the cost of reading a message. False if the runner's budget is used up: it is disconnected. */
  charge(cost: number): boolean;
  /** Resolves when the message was processed; never rejects. */
  onMessage(message: RunnerMessage): Promise<void> | undefined;
  /** The same for a frame. */
  onLogFrame(frame: LogFrame): Promise<void> | undefined;
  /** A ping or pong. */
  onSign(): void;
  onClose(): void;
}

export interface RunnerLink {
  readonly ipAddress: string;
  /** Milliseconds of the monotonic clock at which the runner was last heard. */
  heardAt(): number;
  isOpen(): boolean;
  send(message: NumberedMessage): void;
  /** Messages that carry no number: `log_ack`, `log_nack`, `window`. */
  sendUnnumbered(message: Extract<ServerMessage, { t: "log_ack" | "log_nack" | "window" }>): void;
  ack(id: number): void;
  /** With the shared workspaces that the runner may remove. */
  ackHeartbeat(id: number, release: string[]): void;
  nack(id: number, refusal: { code: NackCode; message: string; missing?: Record<string, number> }): void;
  /** Counts an invalid frame. */
  strike(message: string): void;
  /** Whether the other side answers a ping in time. */
  probe(timeoutMs: number): Promise<boolean>;
  /** Reads nothing more until resumed as often. */
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
  /** Closes, and reads nothing more. */
  cutOff(code: number, reason: string): void;
}

export function createRunnerLink(socket: WebSocket, ipAddress: string, handlers: LinkHandlers): RunnerLink {
  let nextId = 1;
  let heardAt = performance.now();
  let badFrames = 0;
  let pauses = 0;
  const isOpen = () => socket.readyState === socket.OPEN;
  let isUnread = false;
  /** A runner that does not read its answers is not served further, until silence ends the connection. */
  const write = (message: ServerMessage) => {
    if (!isOpen()) return;
    socket.send(JSON.stringify(message), () => {
      if (!isUnread || socket.bufferedAmount > unreadBytes / 2) return;
      isUnread = false;
      link.resume();
    });
    if (isUnread || socket.bufferedAmount < unreadBytes) return;
    isUnread = true;
    link.pause();
  };

  const link: RunnerLink = {
    ipAddress,
    heardAt: () => heardAt,
    isOpen,
    send: (message) => write({ ...message, id: nextId++ } as ServerMessage),
    sendUnnumbered: write,
    ack: (id) => write({ t: "ack", id }),
    ackHeartbeat: (id, release) =>
      write({ t: "heartbeat_ack", id, serverTimeMs: Date.now(), ...(release.length > 0 && { release }) }),
    nack(id, { code, message, missing }) {
      write({ t: "nack", id, code, message, ...(missing && { missing }) });
    },
    strike(message) {
      badFrames += 1;
      if (badFrames >= maxBadFrames) link.cutOff(closeCodes.bad_frame, message);
    },
    probe: (timeoutMs) => probe(socket, timeoutMs),
    pause() {
      pauses += 1;
      socket.pause();
    },
    resume() {
      pauses -= 1;
      if (pauses === 0) socket.resume();
    },
    close: (code, reason) => endSocket(socket, code, reason),
    cutOff(code, reason) {
      // Never resumed.
      pauses += 1;
      cutOff(socket, code, reason);
    },
  };

  const work: Work = {
    messages: createBackpressure(link, messageBacklog),
    frames: createBackpressure(link, frameBacklog),
    throttle: createThrottle(link),
  };
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    heardAt = performance.now();
    if (!isOpen()) return;
    if (isBinary) receiveBinary({ link, handlers, work }, data);
    else receiveText({ link, handlers, work }, data);
  });
  socket.on("ping", handlers.onSign);
  socket.on("pong", () => {
    heardAt = performance.now();
    handlers.onSign();
  });
  // The close event follows and says it all; an oversized frame ends with 1009 from the library.
  socket.on("error", () => undefined);
  socket.on("close", handlers.onClose);
  return link;
}

interface Work {
  messages: Backpressure;
  frames: Backpressure;
  throttle: () => void;
}

interface Receiver {
  link: RunnerLink;
  handlers: LinkHandlers;
  work: Work;
}

/** Called for each frame; when they come too fast the connection rests until a tenth of a second's worth is free. */
function createThrottle(link: RunnerLink): () => void {
  const bucket = createTokenBucket(frameRate);
  let isPaused = false;
  return () => {
    if (bucket.take(1) || isPaused) return;
    isPaused = true;
    link.pause();
    setTimeout(
      () => {
        isPaused = false;
        link.resume();
      },
      bucket.msUntil(frameRate.perSecond / 10),
    ).unref();
  };
}

function receiveBinary({ link, handlers, work }: Receiver, data: Buffer): void {
  work.throttle();
  let frame: LogFrame;
  try {
    frame = decodeLogFrame(data);
  } catch (error) {
    link.strike((error as Error).message);
    return;
  }
  work.frames.add(() => handlers.onLogFrame(frame), 0);
}

/** Its cost is taken before its content is parsed. */
function receiveText({ link, handlers, work }: Receiver, data: Buffer): void {
  const cost = data.length > handlers.maxBytes() ? undefined : costOfReading(data);
  if (cost === undefined) return link.strike("more in one message than this runner has to say");
  if (!handlers.charge(cost)) return;
  const read = readMessage(data);
  if ("message" in read) {
    work.messages.add(() => handlers.onMessage(read.message), data.length);
    return;
  }
  if (read.id !== undefined) link.nack(read.id, { code: "bad_message", message: read.problem });
  link.strike(read.problem);
}

async function probe(socket: WebSocket, timeoutMs: number): Promise<boolean> {
  if (socket.readyState !== socket.OPEN) return false;
  return new Promise((resolve) => {
    const finish = (alive: boolean) => {
      clearTimeout(timer);
      socket.off("pong", onPong).off("close", onClose);
      resolve(alive);
    };
    const onPong = () => finish(true);
    const onClose = () => finish(false);
    const timer = setTimeout(onClose, timeoutMs);
    socket.on("pong", onPong).on("close", onClose);
    socket.ping();
  });
}
