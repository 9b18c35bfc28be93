/**
 * The transport of one runner connection: frames in, parsed; messages out, numbered. What is not a message of the
 * protocol is answered with `bad_message` where it names itself, and ends the connection when it goes on.
 */
import { RunnerMessage, type ServerMessage } from "@forgeline/schemas/runner/messages.ts";
import { closeCodes } from "@forgeline/schemas/runner/version.ts";
import { decodeLogFrame, type LogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { WebSocket } from "ws";
import { storableMember } from "../platform/storable-text.ts";

const maxBadFrames = 5;

type WithoutId<T> = T extends { id: number } ? Omit<T, "id"> : never;
/** A message that gets its number here; answers carry the number of what they answer. */
export type NumberedMessage = WithoutId<Exclude<ServerMessage, { t: "ack" | "nack" | "heartbeat_ack" }>>;
export type NackCode = Extract<ServerMessage, { t: "nack" }>["code"];

export interface LinkHandlers {
  onMessage(message: RunnerMessage): void;
  onLogFrame(frame: LogFrame): void;
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
  ackHeartbeat(id: number): void;
  nack(id: number, code: NackCode, message: string, missing?: Record<string, number>): void;
  /** Counts a frame that no honest runner sends. */
  strike(message: string): void;
  /** Whether the other side answers a ping in time. */
  probe(timeoutMs: number): Promise<boolean>;
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
}

export function createRunnerLink(socket: WebSocket, ipAddress: string, handlers: LinkHandlers): RunnerLink {
  let nextId = 1;
  let heardAt = performance.now();
  let badFrames = 0;
  const isOpen = () => socket.readyState === socket.OPEN;
  const write = (message: ServerMessage) => {
    if (isOpen()) socket.send(JSON.stringify(message));
  };

  const link: RunnerLink = {
    ipAddress,
    heardAt: () => heardAt,
    isOpen,
    send: (message) => write({ ...message, id: nextId++ } as ServerMessage),
    sendUnnumbered: write,
    ack: (id) => write({ t: "ack", id }),
    ackHeartbeat: (id) => write({ t: "heartbeat_ack", id, serverTimeMs: Date.now() }),
    nack(id, code, message, missing) {
      write({ t: "nack", id, code, message, ...(missing && { missing }) });
    },
    strike(message) {
      badFrames += 1;
      if (badFrames >= maxBadFrames) link.close(closeCodes.bad_frame, message);
    },
    probe: (timeoutMs) => probe(socket, timeoutMs),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close(code, reason) {
      if (socket.readyState === socket.CLOSED) return;
      // A reason may have 123 bytes.
      socket.close(
        code,
        Buffer.from(reason)
          .subarray(0, 120)
          .toString()
          .replace(/\uFFFD+$/, ""),
      );
      // A peer that does not answer the closing must not hold the place.
      setTimeout(() => socket.terminate(), 2_000).unref();
    },
  };

  socket.on("message", (data: Buffer, isBinary: boolean) => {
    heardAt = performance.now();
    if (!isOpen()) return;
    if (isBinary) receiveBinary(link, data, handlers);
    else receiveText(link, data.toString("utf8"), handlers);
  });
  socket.on("pong", () => (heardAt = performance.now()));
  // The close event follows and says it all; an oversized frame ends with 1009 from the library.
  socket.on("error", () => undefined);
  socket.on("close", handlers.onClose);
  return link;
}

function receiveBinary(link: RunnerLink, data: Buffer, handlers: LinkHandlers): void {
  let frame: LogFrame;
  try {
    frame = decodeLogFrame(data);
  } catch (error) {
    link.strike((error as Error).message);
    return;
  }
  handlers.onLogFrame(frame);
}

function receiveText(link: RunnerLink, text: string, handlers: LinkHandlers): void {
  let value: unknown;
  try {
    value = JSON.parse(text, storableMember);
  } catch {
    link.strike("not JSON");
    return;
  }
  const parsed = RunnerMessage.safeParse(value);
  if (parsed.success) {
    handlers.onMessage(parsed.data);
    return;
  }
  const issue = parsed.error.issues[0];
  const problem = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not a message of the protocol"}`;
  const id = (value as { id?: unknown } | null)?.id;
  if (typeof id === "number" && Number.isInteger(id) && id >= 1) link.nack(id, "bad_message", problem);
  link.strike(problem);
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
