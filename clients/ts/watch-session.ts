/**
 * What every viewer of the log watch socket keeps, whatever its sockets are made of: how far each stream has come, and how
 * a lost connection is tried again. Bytes of a stream are handed over in order and exactly once.
 */
import { decodeLogFrame, type TimeRun } from "./generated/log-frame.ts";

export interface WatchedStream {
  id: string;
  kind: "setup" | "step" | "service" | "shell";
  stage: string;
  job: string;
  /** Tells combinations of a matrix apart: `unit (20, linux)`. */
  jobLabel: string;
  jobId: string;
  attempt: number;
  /** Position of the step; null for set-up and services. */
  step: number | null;
  name: string;
}

export interface WatchedStatus {
  node: "pipeline" | "stage" | "job" | "step";
  id: string;
  name: string;
  job: string | null;
  job_label: string | null;
  attempt: number | null;
  status: string;
  reason: string | null;
  message: string | null;
  time: string;
}

export interface WatchedPlace {
  /** Offset of the first byte in its stream. */
  offset: number;
  /** When the lines were seen, the last ones of which begin in these bytes; earlier ones were handed over before. */
  timeRuns: readonly TimeRun[];
}

export interface WatchHandlers {
  onStream?(stream: WatchedStream): void;
  /** Bytes of one stream come in order, without gap or repetition. */
  onBytes?(stream: WatchedStream, bytes: Uint8Array, place: WatchedPlace): void;
  onStreamEnd?(stream: WatchedStream, end: { bytes: number; lines: number; complete: boolean }): void;
  onStatus?(status: WatchedStatus): void;
  /** The connection was lost and is tried again in `delayMs`. */
  onReconnect?(delayMs: number, why: string): void;
  /** The server has no room for this watch now, for example because too many logs are open; it is tried again in `delayMs`. */
  onBusy?(delayMs: number, why: string): void;
}

export interface WatchResult {
  status: string;
  reason: string | null;
}

/** The server refused the watch for good: no such run, no permission, token revoked. */
export class WatchRefusedError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "WatchRefusedError";
    this.status = status;
  }
}

export type WatchOutcome =
  | { kind: "end"; result: WatchResult }
  | { kind: "lost"; why: string; progressed: boolean }
  | { kind: "busy"; why: string; retryAfterMs: number };

/** One connection; its channels mean nothing on another one. */
export interface WatchConnection {
  /** To be sent as soon as it is open. */
  greeting(): string;
  text(message: string): void;
  bytes(data: Uint8Array): void;
  /** What its close means; throws WatchRefusedError when another try cannot help. */
  closed(code: number, reason: string, why: string): WatchOutcome;
}

export interface WatchOptions {
  /** Stream → bytes that the caller already has of it. */
  have?: ReadonlyMap<string, number>;
  signal?: AbortSignal | undefined;
  /** Of zstd, where the server is not asked for bytes without it (`zstd=false`). */
  inflate?: (payload: Uint8Array) => Uint8Array;
}

const firstDelayMs = 100;
const maxDelayMs = 5_000;
const usualRetrySeconds = 10;
/** Close codes after which another try cannot help (`pipelines.md` section 6). */
const finalCloseCodes = new Set([4400, 4401, 4403]);

type WireMessage =
  | {
      t: "stream";
      channel: number;
      stream_id: string;
      kind: WatchedStream["kind"];
      stage: string;
      job: string;
      job_label: string;
      job_id: string;
      attempt: number;
      step: number | null;
      name: string;
      offset: number;
    }
  | { t: "eof"; channel: number; bytes: number; lines: number; complete: boolean }
  | ({ t: "status" } & WatchedStatus)
  | { t: "end"; status: string; reason: string | null }
  | { t: "busy"; message: string; retry_after: number };

/**
 * Calls `connectOnce` until the run is final and all its bytes were handed over. Rejects with what `connectOnce` rejects
 * with, and with the signal's reason.
 */
export async function followWatch(
  connectOnce: (connection: WatchConnection) => Promise<WatchOutcome>,
  handlers: WatchHandlers,
  { have, signal, inflate }: WatchOptions = {},
): Promise<WatchResult> {
  const connect = createConnections(handlers, new Map(have), inflate);
  let delayMs = firstDelayMs;
  for (;;) {
    signal?.throwIfAborted();
    const outcome = await connectOnce(connect());
    if (outcome.kind === "end") return outcome.result;
    if (outcome.kind === "busy") {
      // Not before the time that was named, and not all in one moment.
      const waitMs = outcome.retryAfterMs * (1 + Math.random() / 4);
      handlers.onBusy?.(Math.round(waitMs), outcome.why);
      await pause(waitMs, signal);
      continue;
    }
    if (outcome.progressed) delayMs = firstDelayMs;
    // Jitter, so that a thousand viewers of a restarted server do not come back in one moment.
    const waitMs = delayMs * (0.5 + Math.random());
    handlers.onReconnect?.(Math.round(waitMs), outcome.why);
    await pause(waitMs, signal);
    delayMs = Math.min(delayMs * 2, maxDelayMs);
  }
}

/** Of an answer 429; a proxy may leave out the time. */
export function busyUntil(why: string, retryAfter: number | null): WatchOutcome {
  return { kind: "busy", why, retryAfterMs: 1_000 * Math.max(1, retryAfter ?? usualRetrySeconds) };
}

function createConnections(
  handlers: WatchHandlers,
  offsets: Map<string, number>,
  inflate: WatchOptions["inflate"],
): () => WatchConnection {
  const seen = new Set<string>();
  return () => {
    const channels = new Map<number, WatchedStream>();
    let result: WatchResult | undefined;
    let busy: WatchOutcome | undefined;
    let progressed = false;

    function take(message: WireMessage): void {
      if (message.t === "stream") {
        const stream = streamOf(message);
        channels.set(message.channel, stream);
        if (!seen.has(stream.id)) handlers.onStream?.(stream);
        seen.add(stream.id);
      } else if (message.t === "status") handlers.onStatus?.(message);
      else if (message.t === "busy") busy = busyUntil(message.message, message.retry_after);
      else if (message.t === "end") result = { status: message.status, reason: message.reason };
      else {
        const stream = channels.get(message.channel);
        const { bytes, lines, complete } = message;
        if (stream) handlers.onStreamEnd?.(stream, { bytes, lines, complete });
      }
    }

    return {
      greeting: () => JSON.stringify({ t: "resume", offsets: Object.fromEntries(offsets) }),
      text(message) {
        progressed = true;
        take(JSON.parse(message) as WireMessage);
      },
      bytes(data) {
        const frame = decodeLogFrame(data);
        const stream = channels.get(frame.channel);
        if (!stream) return;
        const have = offsets.get(stream.id) ?? 0;
        const raw = frame.compressed && inflate ? inflate(frame.payload) : frame.payload;
        const fresh = raw.subarray(Math.max(0, have - frame.offset));
        if (fresh.length === 0) return;
        handlers.onBytes?.(stream, fresh, { offset: have, timeRuns: frame.timeRuns });
        offsets.set(stream.id, have + fresh.length);
      },
      closed(code, reason, why) {
        if (result) return { kind: "end", result };
        if (busy) return busy;
        if (finalCloseCodes.has(code)) throw new WatchRefusedError(code, reason || `closed with ${code}`);
        return { kind: "lost", why, progressed };
      },
    };
  };
}

/** Of a path `…/logs/stream`: narrowed to what is asked for; the server waits for the greeting before it sends bytes. */
export function narrowWatch(
  url: URL,
  filter: { job?: string | undefined; step?: string | undefined; attempt?: number | undefined },
): URL {
  for (const name of ["job", "step", "attempt"] as const)
    if (filter[name] !== undefined) url.searchParams.set(name, String(filter[name]));
  return url;
}

function streamOf(message: Extract<WireMessage, { t: "stream" }>): WatchedStream {
  const { kind, stage, job, job_label: jobLabel, attempt, step, name } = message;
  return { id: message.stream_id, kind, stage, job, jobLabel, jobId: message.job_id, attempt, step, name };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
