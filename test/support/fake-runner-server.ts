/**
 * A server that speaks the runner protocol over TLS, for tests of the runner's side: it keeps log bytes per stream as
 * the real one does, offers leases when told, and misbehaves when told. It decides nothing about pipelines.
 */
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { zstdDecompressSync } from "node:zlib";
import { WebSocketServer, type WebSocket } from "ws";
import { runnerMessageBytes } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import { decodeLogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { RunnerMessage, type ServerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import { type GitHttp, serveGit } from "./git-http.ts";
import { runnerSubprotocol } from "@forgeline/schemas/runner-protocol/version.ts";

export interface StoredStream {
  bytes: Buffer[];
  length: number;
  lines: number;
  eof: Extract<RunnerMessage, { t: "log_eof" }> | null;
  /** The checksum of the end agreed with what is stored. */
  intact: boolean;
}

export interface Faults {
  /** Acknowledgements of log frames that are left out, counted down. */
  dropLogAcks: number;
  /** Control messages of these kinds are taken, but not answered, this many times. */
  dropAnswers: Partial<Record<RunnerMessage["t"], number>>;
  /** After this many further log bytes: ask for everything from the beginning again. */
  rewindAfterBytes: number | null;
  /** After this many further log bytes: cut the connection. */
  cutAfterBytes: number | null;
  /** `done` and reports are refused with this code. */
  refuse: "stale_epoch" | null;
}

type Done = Extract<RunnerMessage, { t: "done" }>;
type WithoutId<M> = M extends { id: number } ? Omit<M, "id"> : never;
type Numbered = WithoutId<Exclude<ServerMessage, { t: "ack" | "nack" }>>;

export class FakeRunnerServer {
  readonly received: RunnerMessage[] = [];
  readonly results = new Map<string, Done["result"]>();
  readonly streams = new Map<string, StoredStream>();
  readonly leases = new Map<string, { spec: LeaseSpec; keep: boolean }>();
  readonly faults: Faults = {
    dropLogAcks: 0,
    dropAnswers: {},
    rewindAfterBytes: null,
    cutAfterBytes: null,
    refuse: null,
  };
  /** Repositories for checkouts; null answers 404. */
  git: GitHttp | null = null;
  heartbeatMs = 1000;
  windowBytes = 8 * 1024 * 1024;
  /** Frames that began after the end of what is stored. */
  gaps = 0;
  connections = 0;
  #server: Server | null = null;
  #socket: WebSocket | null = null;
  #silent: WebSocket | null = null;
  #transport: Socket | null = null;
  #port = 0;
  #lastId = 0;
  readonly #tls: { key: string; cert: string };

  constructor(tls: { key: string; cert: string }) {
    this.#tls = tls;
  }

  get url(): string {
    return `wss://localhost:${this.#port}/api/v1/runners/connect`;
  }

  get connected(): boolean {
    return this.#socket !== null;
  }

  /** On the same port again after `stop`. */
  async start(): Promise<void> {
    const server = createServer(this.#tls, (request, response) => serveGit(this.git, request, response));
    const sockets = new WebSocketServer({
      server,
      maxPayload: runnerMessageBytes,
      handleProtocols: () => runnerSubprotocol,
    });
    sockets.on("connection", (socket, request) => this.#accept(socket, request.socket));
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    this.cut();
    const server = this.#server;
    this.#server = null;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  /** Ends the connection without a word, as a broken network does. */
  cut(): void {
    this.#transport?.destroy();
    this.#socket?.terminate();
    this.#socket = null;
  }

  /** From now on nothing is answered or sent on the connection that there is; the next one is as usual. */
  fallSilent(): void {
    this.#silent = this.#socket;
  }

  close(code: number, reason: string): void {
    this.#socket?.close(code, reason);
  }

  /** Sends any text, also what is no message. */
  sendText(text: string): void {
    this.#socket?.send(text);
  }

  send(message: Numbered): void {
    if (this.#socket !== this.#silent) this.#socket?.send(JSON.stringify({ ...message, id: ++this.#lastId }));
  }

  offer(spec: LeaseSpec): void {
    this.leases.set(spec.attemptId, { spec, keep: true });
    const { attemptId, epoch, repositoryId } = spec;
    const image = spec.job.image.name;
    this.send({ t: "offer", attemptId, epoch, repositoryId, image, labels: [], deadlineMs: 10_000 });
  }

  log(streamId: string): Buffer {
    return Buffer.concat(this.streams.get(streamId)?.bytes ?? []);
  }

  messages<T extends RunnerMessage["t"]>(t: T): Extract<RunnerMessage, { t: T }>[] {
    return this.received.filter((m): m is Extract<RunnerMessage, { t: T }> => m.t === t);
  }

  #accept(socket: WebSocket, transport: Socket): void {
    this.connections++;
    this.#socket = socket;
    this.#transport = transport;
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (this.#socket === socket) this.#socket = null;
    });
    socket.on("message", (data: Buffer, isBinary) => {
      if (this.#silent === socket) return;
      if (isBinary) this.#frame(socket, data);
      else this.#message(RunnerMessage.parse(JSON.parse(data.toString())));
    });
  }

  #answer(message: ServerMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #message(message: RunnerMessage): void {
    this.received.push(message);
    const dropped = this.faults.dropAnswers[message.t] ?? 0;
    if (message.t === "hello") return this.#welcome(message);
    if (message.t === "heartbeat")
      return this.#answer({ t: "heartbeat_ack", id: message.id, serverTimeMs: Date.now() });
    if (message.t === "ack" || message.t === "nack") return;
    if (dropped > 0) {
      this.faults.dropAnswers[message.t] = dropped - 1;
      return;
    }
    if (this.faults.refuse && message.t !== "offer_answer" && message.t !== "revoked")
      return this.#answer({ t: "nack", id: message.id, code: this.faults.refuse, message: "refused" });
    if (message.t === "log_eof" && !this.#eof(message)) return;
    if (message.t === "done") this.results.set(message.attemptId, message.result);
    this.#answer({ t: "ack", id: message.id });
    if (message.t === "offer_answer" && message.accept) {
      const lease = this.leases.get(message.attemptId);
      if (lease) this.send({ t: "lease", spec: lease.spec });
    }
  }

  #welcome(hello: Extract<RunnerMessage, { t: "hello" }>): void {
    const leases = hello.leases.map(({ attemptId, epoch }) => {
      const lease = this.leases.get(attemptId);
      const keep = lease?.keep === true && lease.spec.epoch === epoch && !this.results.has(attemptId);
      const streams = (lease?.spec.streams ?? []).map((stream) => ({
        ...stream,
        nextOffset: this.streams.get(stream.id)?.length ?? 0,
      }));
      return { attemptId, epoch, keep, spec: keep && lease ? { ...lease.spec, streams } : null, streams };
    });
    this.send({
      t: "welcome",
      protocol: 1,
      runnerId: "rnr_test",
      heartbeatMs: this.heartbeatMs,
      reclaimMs: 90_000,
      windowBytesPerStream: Math.min(this.windowBytes, 1024 * 1024),
      windowBytes: this.windowBytes,
      leases,
    });
  }

  #stream(id: string): StoredStream {
    const found = this.streams.get(id);
    if (found) return found;
    const made: StoredStream = { bytes: [], length: 0, lines: 0, eof: null, intact: false };
    this.streams.set(id, made);
    return made;
  }

  #frame(socket: WebSocket, data: Buffer): void {
    const frame = decodeLogFrame(data);
    const raw = frame.compressed ? zstdDecompressSync(frame.payload) : Buffer.from(frame.payload);
    if (raw.length !== frame.rawLength) throw new Error("a frame's length is wrong");
    const id = this.#streamOf(frame.channel);
    const stream = this.#stream(id);
    if (frame.offset > stream.length) {
      this.gaps++;
      return this.#answer({ t: "log_nack", channel: frame.channel, expected: stream.length });
    }
    this.#keep(stream, raw.subarray(stream.length - frame.offset), frame);
    if (this.#bite(frame.channel, raw.length)) return;
    if (this.faults.dropLogAcks > 0) {
      this.faults.dropLogAcks--;
      return;
    }
    if (this.#socket === socket)
      this.#answer({ t: "log_ack", channel: frame.channel, nextOffset: stream.length });
  }

  #keep(stream: StoredStream, fresh: Buffer, frame: ReturnType<typeof decodeLogFrame>): void {
    if (fresh.length === 0) return;
    if (frame.offset === stream.length && frame.firstLine !== stream.lines)
      throw new Error(`line ${frame.firstLine} was announced where ${stream.lines} comes`);
    stream.bytes.push(fresh);
    stream.length += fresh.length;
    for (const byte of fresh) if (byte === 10) stream.lines++;
  }

  /** True when a fault was triggered instead of an answer. */
  #bite(channel: number, bytes: number): boolean {
    const { faults } = this;
    if (faults.cutAfterBytes !== null && (faults.cutAfterBytes -= bytes) <= 0) {
      faults.cutAfterBytes = null;
      this.cut();
      return true;
    }
    if (faults.rewindAfterBytes !== null && (faults.rewindAfterBytes -= bytes) <= 0) {
      faults.rewindAfterBytes = null;
      const stream = this.#stream(this.#streamOf(channel));
      const kept = Buffer.concat(stream.bytes).subarray(0, Math.max(0, stream.length - bytes));
      stream.bytes = [kept];
      stream.length = kept.length;
      stream.lines = kept.filter((byte) => byte === 10).length;
      this.#answer({ t: "log_nack", channel, expected: stream.length });
      return true;
    }
    return false;
  }

  #streamOf(channel: number): string {
    for (const { spec } of this.leases.values())
      for (const stream of spec.streams) if (stream.channel === channel) return stream.id;
    throw new Error(`no stream has channel ${channel}`);
  }

  #eof(message: Extract<RunnerMessage, { t: "log_eof" }>): boolean {
    const stream = this.#stream(message.streamId);
    if (stream.length < message.bytes) {
      const missing = { [message.streamId]: stream.length };
      this.#answer({
        t: "nack",
        id: message.id,
        code: "logs_missing",
        message: "bytes are missing",
        missing,
      });
      return false;
    }
    stream.eof = message;
    const sha256 = createHash("sha256").update(this.log(message.streamId)).digest("hex");
    stream.intact = stream.length === message.bytes && sha256 === message.sha256;
    return true;
  }
}
