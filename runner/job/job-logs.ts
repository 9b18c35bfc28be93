/**
 * The log streams of one job: opens each under a name of the runner's own (a hard link in the spool, so that the
 * job's directory can go before the log is delivered), ends them, and tells when the server has them all.
 */
import { link, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { LeaseSpec, LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Answer } from "../connection/outbox.ts";
import type { RunningService } from "../engine/engine.ts";
import { LogStream, type StreamTotals } from "../logs/log-stream.ts";
import type { EofAnswer, LogSender } from "../logs/log-sender.ts";
import { secretEncodings } from "../logs/secret-encodings.ts";
import type { StreamPump } from "../logs/stream-pump.ts";
import type { JobRecord, StreamRecord } from "../state/job-record.ts";
import { hiddenValues } from "./job-secrets.ts";

export interface JobLogsDeps {
  sender: LogSender;
  record: JobRecord;
  save: () => Promise<void>;
  spoolDir: string;
  /** Sends `log_eof` on this connection. */
  ask: (streamId: string, totals: StreamTotals) => Promise<Answer | "disconnected">;
  onProblem: (error: unknown) => void;
  /** The file of a log was cut; the job cannot continue with it. */
  onCut: (stream: LeaseStream) => void;
}

export class JobLogs {
  readonly #deps: JobLogsDeps;
  readonly #spec: LeaseSpec;
  readonly #forms: Buffer[];
  readonly #pumps = new Map<string, StreamPump>();
  /** As the present connection names them. */
  #places = new Map<string, LeaseStream>();

  constructor(spec: LeaseSpec, deps: JobLogsDeps) {
    this.#spec = spec;
    this.#deps = deps;
    this.#forms = secretEncodings(hiddenValues(spec));
    this.#places = new Map(spec.streams.map((stream) => [stream.id, stream]));
  }

  static async makeSpool(spoolDir: string): Promise<void> {
    await mkdir(spoolDir, { recursive: true, mode: 0o700 });
  }

  stream(kind: LeaseStream["kind"], which: number | string | null = null): LeaseStream | undefined {
    return this.#spec.streams.find(
      (stream) => stream.kind === kind && (kind === "setup" || (stream.step ?? stream.service) === which),
    );
  }

  spoolPath(stream: LeaseStream): string {
    return join(this.#deps.spoolDir, `${stream.id}.raw`);
  }

  /** Moves a stream from now on. `source` is the raw file; null when the runner writes it into the spool itself. */
  async open(stream: LeaseStream, source: string | null): Promise<StreamPump | null> {
    const known = this.#deps.record.streams[stream.id];
    if (known?.delivered) return null;
    const opened = this.#pumps.get(stream.id);
    if (opened) return opened;
    const path =
      known?.path ?? (source === null ? this.spoolPath(stream) : await this.#adopt(stream, source));
    const record = known ?? { path, resumeHeldAt: null, delivered: false };
    this.#deps.record.streams[stream.id] = record;
    return this.#start(stream, record);
  }

  /** The log of a service, where the server requested one. */
  async openService({ key, outputFile }: RunningService): Promise<void> {
    const stream = this.stream("service", key);
    if (stream) await this.open(stream, outputFile);
  }

  /** Streams that never got output end empty; those still open end as they are. Resolves when all is delivered. */
  async finish(): Promise<void> {
    const pumps: StreamPump[] = [];
    for (const stream of this.#spec.streams) {
      const pump = await this.open(stream, null);
      if (!pump) continue;
      await pump.end();
      pumps.push(pump);
    }
    await Promise.all(pumps.map((pump) => pump.finished));
  }

  async end(stream: LeaseStream | undefined): Promise<void> {
    if (stream) await this.#pumps.get(stream.id)?.end();
  }

  /** Ends a stream that nothing will be written to. */
  async endEmpty(stream: LeaseStream): Promise<void> {
    const pump = await this.open(stream, null);
    await pump?.end();
  }

  /** After a welcome: channels and durable ends of this connection. */
  attach(streams: readonly LeaseStream[]): void {
    this.#places = new Map(streams.map((stream) => [stream.id, stream]));
    for (const stream of streams) this.#deps.sender.attach(stream);
  }

  rewind(missing: Readonly<Record<string, number>>): void {
    for (const [id, offset] of Object.entries(missing)) this.#pumps.get(id)?.rewind(offset);
  }

  wake(stream: LeaseStream): void {
    this.#pumps.get(stream.id)?.wake();
  }

  /** True when some raw file is in the job's own directory, which must then stay until all is delivered. */
  get needsJobDir(): boolean {
    return Object.values(this.#deps.record.streams).some(
      (stream) => !stream.delivered && !stream.path.startsWith(this.#deps.spoolDir),
    );
  }

  /** Gives up what is not delivered and removes the spool. */
  async dispose(): Promise<void> {
    for (const id of this.#pumps.keys()) this.#deps.sender.close(id);
    this.#pumps.clear();
    await rm(this.#deps.spoolDir, { recursive: true, force: true });
  }

  async #adopt(stream: LeaseStream, source: string): Promise<string> {
    const path = this.spoolPath(stream);
    try {
      await link(source, path);
      return path;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") return path;
      return source;
    }
  }

  #start(stream: LeaseStream, record: StreamRecord): StreamPump {
    const { limits } = this.#spec;
    const log = new LogStream({
      path: record.path,
      forms: this.#forms,
      lineBytes: limits.lineBytes,
      stepLogBytes: limits.stepLogBytes,
      tailBytes: limits.tailBytes,
      resumeHeldAt: record.resumeHeldAt,
      beforePunch: async (at) => {
        record.resumeHeldAt = at;
        await this.#deps.save();
      },
      onCut: () => this.#deps.onCut(stream),
    });
    const { sender } = this.#deps;
    const pump = sender.open({ id: stream.id, path: record.path, stream: log }, (id, totals) =>
      this.#sendEof(id, totals, record),
    );
    this.#pumps.set(stream.id, pump);
    const place = this.#places.get(stream.id);
    if (place) sender.attach(place);
    pump.finished.catch(this.#deps.onProblem);
    return pump;
  }

  async #sendEof(id: string, totals: StreamTotals, record: StreamRecord): Promise<EofAnswer> {
    const answer = await this.#deps.ask(id, totals);
    if (answer === "disconnected") return { kind: "again" };
    if (answer.t === "ack") {
      record.delivered = true;
      void this.#deps.save().catch(this.#deps.onProblem);
      return { kind: "stored" };
    }
    const from = answer.missing?.[id];
    if (answer.code === "logs_missing" && from !== undefined) return { kind: "from", offset: from };
    return { kind: answer.code === "internal" || answer.code === "logs_missing" ? "again" : "refused" };
  }
}
