/**
 * A runner reduced to its protocol: it says what a test tells it to say, executes nothing, and keeps everything that
 * the server sent. Over a real TLS WebSocket.
 */
import { createHash, randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import { encodeLogFrame } from "@forgeline/schemas/logs/frame.ts";
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import type { JobResult, LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import {
  ServerMessage,
  type HeldLease,
  type RunnerMessage,
} from "@forgeline/schemas/runner-protocol/messages.ts";
import type { RunnerExecutor } from "@forgeline/schemas/runners/executor.ts";
import { runnerSubprotocol } from "@forgeline/schemas/runner-protocol/version.ts";
import type { z } from "zod";
import { eventually } from "./eventually.ts";

type Kind = ServerMessage["t"];
type MessageOf<T extends Kind> = Extract<ServerMessage, { t: T }>;
type WithoutId<M> = M extends { id: number } ? Omit<M, "id"> : never;
export type SendableMessage = WithoutId<RunnerMessage>;

export interface ProtocolRunnerOptions {
  url: string;
  ca: string;
  credential: string;
  instanceId?: string;
  capacity?: number;
  limits?: RunnerLimits;
  labels?: string[];
  protocols?: number[];
  subprotocols?: string[];
  /** As a runner says it that filters; default: nothing, as one of before. */
  egress?: EgressReport;
  problem?: string;
  /** Default: none, as one of before. */
  features?: string[];
  /** Default: not said, as by one of before. */
  executor?: RunnerExecutor;
  requiresSignatures?: boolean;
  /** Default: not said, as by one of before. */
  imageCacheBytes?: number;
  /** Those that it has; default: as a runner that knows none. */
  sharedWorkspaces?: string[];
  /** How far its clock is ahead. */
  clockErrorMs?: number;
}

export const success: JobResult = {
  status: "success",
  reason: null,
  message: null,
  exitCode: 0,
  outputs: {},
  steps: [],
  warnings: [],
};

export class ProtocolRunner {
  readonly socket: WebSocket;
  readonly instanceId: string;
  readonly received: ServerMessage[] = [];
  closed: { code: number; reason: string } | undefined;
  /** HTTP status when the upgrade was refused. */
  refused: number | undefined;
  readonly options: ProtocolRunnerOptions;
  #nextId = 1;

  constructor(options: ProtocolRunnerOptions) {
    this.options = options;
    this.instanceId = options.instanceId ?? randomUUID();
    this.socket = new WebSocket(options.url, options.subprotocols ?? [runnerSubprotocol], {
      ca: options.ca,
      headers: { authorization: `Bearer ${options.credential}` },
      perMessageDeflate: false,
    });
    this.socket.on("message", (data: Buffer) =>
      this.received.push(ServerMessage.parse(JSON.parse(data.toString()))),
    );
    this.socket.on("unexpected-response", (request, response) => {
      this.refused = response.statusCode;
      request.destroy();
    });
    this.socket.on("error", () => undefined);
    this.socket.on("close", (code, reason) => (this.closed = { code, reason: reason.toString() }));
  }

  async opened(): Promise<this> {
    await eventually(() => this.socket.readyState === WebSocket.OPEN);
    return this;
  }

  /** Sends and returns the message's number. */
  say(message: SendableMessage): number {
    const id = this.#nextId++;
    this.socket.send(JSON.stringify({ ...message, id }));
    return id;
  }

  /** The first message of this kind that fits, past or to come; it is taken out of what was received. */
  async take<T extends Kind>(kind: T, fits: (message: MessageOf<T>) => boolean = () => true) {
    return eventually(() => {
      const at = this.received.findIndex((m) => m.t === kind && fits(m as MessageOf<T>));
      return at < 0 ? undefined : (this.received.splice(at, 1)[0] as MessageOf<T>);
    });
  }

  /** What the server answered to message `id`. */
  async answer(id: number): Promise<MessageOf<"ack"> | MessageOf<"nack">> {
    return eventually(() =>
      this.received.find((m) => (m.t === "ack" || m.t === "nack") && m.id === id),
    ) as Promise<MessageOf<"ack"> | MessageOf<"nack">>;
  }

  async ask(message: SendableMessage) {
    return this.answer(this.say(message));
  }

  async hello(leases: z.infer<typeof HeldLease>[] = []): Promise<MessageOf<"welcome">> {
    await this.opened();
    this.sayHello(leases);
    return this.take("welcome");
  }

  sayHello(leases: z.infer<typeof HeldLease>[] = []): void {
    this.say({
      t: "hello",
      protocols: this.options.protocols ?? [1],
      version: "0.0.0-test",
      instanceId: this.instanceId,
      labels: this.options.labels ?? ["docker"],
      capacity: this.options.capacity ?? 1,
      os: "linux",
      arch: "x64",
      hostname: "test",
      clockMs: Date.now() + (this.options.clockErrorMs ?? 0),
      draining: this.options.problem !== undefined,
      ...(this.options.problem !== undefined && { problem: this.options.problem }),
      ...(this.options.limits && { limits: this.options.limits }),
      images: [],
      leases,
      ...(this.options.egress && { egress: this.options.egress }),
      ...(this.options.requiresSignatures && { requiresSignatures: true }),
      ...(this.options.imageCacheBytes !== undefined && { imageCacheBytes: this.options.imageCacheBytes }),
      ...(this.options.executor && { executor: this.options.executor }),
      ...(this.options.features && { features: this.options.features }),
      ...(this.options.sharedWorkspaces && { sharedWorkspaces: this.options.sharedWorkspaces }),
    });
  }

  beat(leases: { attemptId: string; epoch: number }[], sharedWorkspaces?: string[]): void {
    const workspaces = sharedWorkspaces && { sharedWorkspaces };
    this.say({ t: "heartbeat", load: 0.5, freeDiskBytes: 1e9, freeSlots: 1, leases, ...workspaces });
  }

  /** Waits for an offer and accepts it. */
  async acceptNext(): Promise<LeaseSpec> {
    const offer = await this.take("offer");
    const { attemptId, epoch } = offer;
    this.say({ t: "offer_answer", attemptId, epoch, accept: true, reject: null });
    return (await this.take("lease", (lease) => lease.spec.attemptId === attemptId)).spec;
  }

  log(channel: number, offset: number, text: string, firstLine = 1): void {
    const payload = Buffer.from(text);
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    this.socket.send(
      encodeLogFrame({
        channel,
        offset,
        firstLine,
        rawLength: payload.length,
        compressed: false,
        timeRuns: [{ lines, timeMs: Date.now() }],
        payload,
      }),
    );
  }

  /** Ends every stream of the lease; `texts` has what was sent, by channel. */
  async endStreams(spec: LeaseSpec, texts: Record<number, string> = {}): Promise<void> {
    for (const stream of spec.streams) {
      const text = texts[stream.channel] ?? "";
      const answer = await this.ask({
        t: "log_eof",
        attemptId: spec.attemptId,
        epoch: spec.epoch,
        streamId: stream.id,
        bytes: Buffer.byteLength(text),
        lines: text.split("\n").length - 1,
        sha256: createHash("sha256").update(text).digest("hex"),
        droppedBytes: 0,
        droppedLines: 0,
      });
      if (answer.t !== "ack") throw new Error(`log_eof was refused: ${answer.message}`);
    }
  }

  done(spec: { attemptId: string; epoch: number }, result: JobResult = success) {
    return this.ask({ t: "done", attemptId: spec.attemptId, epoch: spec.epoch, result });
  }

  /** Started, nothing printed, success. */
  async runTrivially(spec: LeaseSpec): Promise<void> {
    const { attemptId, epoch } = spec;
    this.say({ t: "started", attemptId, epoch, timeMs: Date.now() });
    await this.endStreams(spec);
    const answer = await this.done(spec);
    if (answer.t !== "ack") throw new Error(`done was refused: ${answer.message}`);
  }

  /** Gone without a goodbye. */
  vanish(): void {
    this.socket.terminate();
  }
}
