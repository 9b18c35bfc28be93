/**
 * The runner's lasting link to the server: one connection at a time, reconnected with backoff for as long as the
 * process lives, watched by heartbeats on the monotonic clock.
 *
 * States: waiting → connecting → greeting (hello sent) → up → waiting …; stopped ends it. Messages given to
 * `deliver` are sent when up and again after each reconnect until the server answers; `ask` lasts one connection.
 */
import type { z } from "zod";
import type {
  Heartbeat,
  Hello,
  ServerMessage,
  Welcome,
} from "@forgeline/schemas/runner-protocol/messages.ts";
import { runnerMessageBytes } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import type { Logger } from "pino";
import { backoffMs } from "./backoff.ts";
import { Liveness } from "./liveness.ts";
import { type Answer, Outbox, type Outgoing } from "./outbox.ts";
import { type Close, openSocket, type Socket } from "./socket.ts";

export interface LinkOptions {
  url: string;
  credential: string;
  ca: string | null;
  /** Leases at a time. */
  capacity: number;
  logger: Logger;
  hello: () => Promise<Omit<z.infer<typeof Hello>, "t" | "id">>;
  heartbeat: () => Promise<Omit<z.infer<typeof Heartbeat>, "id">>;
  /** The server knows us; leases are to be settled before anything else is sent. */
  onWelcome: (welcome: z.infer<typeof Welcome>) => void;
  onMessage: (message: ServerMessage) => void;
  /** The leases that a heartbeat named are renewed; it was sent at this time of the monotonic clock. */
  onRenewed: (sentAtMs: number) => void;
  /** Shared workspaces that the server does not need any more. */
  onRelease: (workspaceIds: readonly string[]) => void;
  onDown: () => void;
  /** The server wants nothing more of this runner; the link stays closed. */
  onStopped: (refusal: Refusal) => void;
}

export interface Refusal {
  /** For the operator, with what to do. */
  reason: string;
  /** The server has removed the runner and has given its jobs away. */
  isRemoved: boolean;
}

const slowDownMs = 5000;
/** Shorter than the time after which a silent runner loses its jobs. */
const maxSlowDownMs = 30_000;
/** What a message gets in addition when it is sent: its number. */
const numberBytes = 64;
/** Three of these without a welcome, and the connection is given up. */
const greetingMs = 2000;
/** A connection that ends sooner counts as one more failure, so that what ends each is not tried again and again at once. */
const steadyMs = 10_000;

export class Link {
  readonly #options: LinkOptions;
  readonly #outbox = new Outbox();
  #socket: Socket | null = null;
  #up = false;
  #upSince = 0;
  #failures = 0;
  #notBefore = 0;
  #stopped = false;
  #timer: NodeJS.Timeout | null = null;
  #liveness: Liveness | null = null;
  /** When heartbeats of this connection were sent that are not answered yet, by their number. */
  readonly #beats = new Map<number, number>();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get up(): boolean {
    return this.#up;
  }

  start(): void {
    this.#connect();
  }

  /**
   * Sends now and after every reconnect until answered; `onAnswer` is called once, or never when dropped. What is longer than
   * a server takes is refused here: it would end each connection, and with it the work of all jobs.
   */
  deliver(message: Outgoing, onAnswer: (answer: Answer) => void = () => undefined): void {
    if (Buffer.byteLength(JSON.stringify(message)) > runnerMessageBytes - numberBytes) {
      this.#options.logger.error({ message: message.t }, "a message is longer than the server accepts");
      return onAnswer({ t: "nack", id: 0, code: "bad_message", message: "The message is too long." });
    }
    const sent = this.#outbox.add(message, false, (answer) => {
      if (answer !== "disconnected") onAnswer(answer);
    });
    if (this.#up) this.#socket?.send(sent);
  }

  /** Sends on this connection only. */
  ask(message: Outgoing): Promise<Answer | "disconnected"> {
    return new Promise((resolve) => {
      if (!this.#up || !this.#socket) return resolve("disconnected");
      this.#socket.send(this.#outbox.add(message, true, resolve));
    });
  }

  acknowledge(id: number): void {
    this.#socket?.send({ t: "ack", id });
  }

  refuse(id: number, code: "bad_message" | "unknown_lease" | "internal", message: string): void {
    this.#socket?.send({ t: "nack", id, code, message });
  }

  sendBinary(bytes: Uint8Array): void {
    if (this.#up) this.#socket?.sendBinary(bytes);
  }

  bufferedBytes(): number {
    return this.#socket?.bufferedBytes() ?? 0;
  }

  dropLease(attemptId: string, epoch: number): void {
    this.#outbox.dropLease(attemptId, epoch);
  }

  /** Closes for good; `onDown` follows when it was up. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#socket?.close(1000, "runner stops");
    setTimeout(() => this.#socket?.terminate(), 1000).unref();
  }

  #connect(): void {
    this.#socket = openSocket({
      url: this.#options.url,
      credential: this.#options.credential,
      ca: this.#options.ca,
      capacity: this.#options.capacity,
      onOpen: () => void this.#greet(),
      onMessage: (message) => this.#receive(message),
      onBadMessage: (id, problem) => this.#badMessage(id, problem),
      onClose: (close) => this.#closed(close),
    });
  }

  async #greet(): Promise<void> {
    const socket = this.#socket;
    const hello = await this.#options.hello();
    if (this.#socket !== socket) return;
    socket?.send({ t: "hello", id: this.#outbox.nextId(), ...hello });
    this.#liveness = new Liveness(greetingMs, {
      beat: () => undefined,
      dead: () => this.#socket?.terminate(),
    });
  }

  #receive(message: ServerMessage): void {
    this.#liveness?.heard();
    if (message.t === "welcome") return this.#welcomed(message);
    if (message.t === "ack" || message.t === "nack") return this.#outbox.answered(message);
    if (message.t === "bye") return this.#bye(message.reconnectAfterMs);
    if (message.t === "heartbeat_ack") {
      this.#beatAnswered(message.id);
      return this.#options.onRelease(message.release ?? []);
    }
    this.#options.onMessage(message);
  }

  #welcomed(welcome: z.infer<typeof Welcome>): void {
    this.#liveness?.stop();
    this.#up = true;
    this.#upSince = performance.now();
    this.#liveness = new Liveness(welcome.heartbeatMs, {
      beat: () => void this.#beat(),
      dead: () => {
        this.#options.logger.warn("no response from the server; reconnecting");
        this.#socket?.terminate();
      },
    });
    this.#options.logger.info({ runner_id: welcome.runnerId }, "connected");
    this.#options.onWelcome(welcome);
    for (const message of this.#outbox.pending()) this.#socket?.send(message);
  }

  async #beat(): Promise<void> {
    const sentAtMs = performance.now();
    const heartbeat = await this.#options.heartbeat();
    if (!this.#up) return;
    const id = this.#outbox.nextId();
    this.#beats.set(id, sentAtMs);
    this.#socket?.send({ ...heartbeat, id });
  }

  #beatAnswered(id: number): void {
    const sentAtMs = this.#beats.get(id);
    this.#beats.delete(id);
    if (sentAtMs !== undefined) this.#options.onRenewed(sentAtMs);
  }

  #bye(reconnectAfterMs: number): void {
    this.#notBefore = performance.now() + reconnectAfterMs * (0.5 + Math.random());
    this.#socket?.close(1000, "bye");
  }

  #badMessage(id: number | null, problem: string): void {
    this.#liveness?.heard();
    this.#options.logger.warn({ id, problem }, "the server sent an unknown message");
    if (id !== null) this.refuse(id, "bad_message", problem);
  }

  #closed(close: Close): void {
    this.#liveness?.stop();
    this.#liveness = null;
    this.#beats.clear();
    this.#socket = null;
    if (this.#up) {
      this.#up = false;
      if (performance.now() - this.#upSince >= steadyMs) this.#failures = 0;
      this.#outbox.disconnected();
      this.#options.onDown();
    }
    const reason = finalReason(close);
    if (reason && !this.#stopped) {
      this.#stopped = true;
      this.#options.onStopped({ reason, isRemoved: close.code === closeCodes.revoked });
    }
    if (!this.#stopped) this.#retry(close);
  }

  #retry(close: Close): void {
    const slow = askedToWaitMs(close) * (1 + Math.random() / 4);
    const wait = Math.max(slow, this.#notBefore - performance.now(), backoffMs(this.#failures, Math.random));
    this.#failures++;
    const level = this.#failures > 3 ? "warn" : "info";
    this.#options.logger[level](
      { code: close.code, reason: close.reason, waitMs: Math.round(wait) },
      "not connected",
    );
    this.#timer = setTimeout(() => this.#connect(), wait);
  }
}

/** For how long the server asked to be left alone; 0 where it did not. */
function askedToWaitMs({ code, status, retryAfterMs }: Close): number {
  if (status === 429) return Math.min(retryAfterMs ?? slowDownMs, maxSlowDownMs);
  return code === closeCodes.slow_down ? slowDownMs : 0;
}

/** A close after which trying again cannot help; the sentence tells the operator what to do. */
function finalReason(close: Close): string | null {
  if (close.code === closeCodes.credential || close.status === 401)
    return "the server does not accept this runner's credential; register the runner again";
  if (close.code === closeCodes.revoked || close.status === 403)
    return "this runner was revoked on the server; register it again if that was a mistake";
  if (close.code === closeCodes.no_common_protocol)
    return `the server and this runner have no protocol version in common; install a runner that matches the server (${close.reason})`;
  if (close.code === closeCodes.replaced)
    return "another process uses this runner's credential; give each runner its own registration";
  return null;
}
