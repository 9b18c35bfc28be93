/**
 * Follows the log watch socket of one run (`…/pipelines/{id}/logs/stream`): bytes of each stream in order and
 * exactly once, from the first on, over any number of reconnects, and the status changes of the run.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { rootCertificates } from "node:tls";
import { WebSocket, type RawData } from "ws";
import { decodeLogFrame } from "./generated/log-frame.ts";

export interface WatchedStream {
  id: string;
  kind: "setup" | "step" | "service";
  stage: string;
  job: string;
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
  attempt: number | null;
  status: string;
  reason: string | null;
  message: string | null;
  time: string;
}

export interface WatchHandlers {
  onStream?(stream: WatchedStream): void;
  /** `offset` is that of the first byte; bytes of one stream come in order, without gap or repetition. */
  onBytes?(stream: WatchedStream, bytes: Uint8Array, offset: number): void;
  onStreamEnd?(stream: WatchedStream, end: { bytes: number; lines: number; complete: boolean }): void;
  onStatus?(status: WatchedStatus): void;
  /** The connection was lost and is tried again in `delayMs`. */
  onReconnect?(delayMs: number, why: string): void;
}

export interface WatchRequest {
  /** `{base_url}`. */
  baseUrl: string;
  owner: string;
  repo: string;
  /** Id or number of the run. */
  pipeline: string;
  token?: string;
  /** PEM of an authority to trust besides the system's. */
  ca?: string;
  job?: string;
  step?: string;
  attempt?: number;
  signal?: AbortSignal;
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

const firstDelayMs = 100;
const longestDelayMs = 5_000;
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
      job_id: string;
      attempt: number;
      step: number | null;
      name: string;
      offset: number;
    }
  | { t: "eof"; channel: number; bytes: number; lines: number; complete: boolean }
  | ({ t: "status" } & WatchedStatus)
  | { t: "end"; status: string; reason: string | null };

/** Resolves when the run is final and all its bytes were handed over. */
export async function watchLogs(request: WatchRequest, handlers: WatchHandlers): Promise<WatchResult> {
  const offsets = new Map<string, number>();
  const seen = new Set<string>();
  let delayMs = firstDelayMs;
  for (;;) {
    request.signal?.throwIfAborted();
    const outcome = await watchOnce(request, handlers, offsets, seen);
    if (outcome.kind === "end") return outcome.result;
    if (outcome.progressed) delayMs = firstDelayMs;
    // Jitter, so that a thousand viewers of a restarted server do not come back in one moment.
    const wait = delayMs * (0.5 + Math.random());
    handlers.onReconnect?.(Math.round(wait), outcome.why);
    await sleep(wait, undefined, request.signal ? { signal: request.signal } : undefined);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
  }
}

type Outcome = { kind: "end"; result: WatchResult } | { kind: "lost"; why: string; progressed: boolean };

function watchOnce(
  request: WatchRequest,
  handlers: WatchHandlers,
  offsets: Map<string, number>,
  seen: Set<string>,
): Promise<Outcome> {
  const socket = new WebSocket(watchUrl(request), {
    ...(request.ca === undefined ? {} : { ca: [...rootCertificates, request.ca] }),
    ...(request.token === undefined ? {} : { headers: { authorization: `Bearer ${request.token}` } }),
    handshakeTimeout: 10_000,
  });
  socket.binaryType = "nodebuffer";
  const channels = new Map<number, WatchedStream>();
  let result: WatchResult | undefined;
  let progressed = false;
  const abort = () => socket.terminate();
  request.signal?.addEventListener("abort", abort, { once: true });

  const onText = (message: WireMessage) => {
    progressed = true;
    if (message.t === "stream") {
      const stream = streamOf(message);
      channels.set(message.channel, stream);
      if (!seen.has(stream.id)) handlers.onStream?.(stream);
      seen.add(stream.id);
    } else if (message.t === "status") handlers.onStatus?.(message);
    else if (message.t === "end") result = { status: message.status, reason: message.reason };
    else {
      const stream = channels.get(message.channel);
      const { bytes, lines, complete } = message;
      if (stream) handlers.onStreamEnd?.(stream, { bytes, lines, complete });
    }
  };
  const onBinary = (data: Uint8Array) => {
    const frame = decodeLogFrame(data);
    const stream = channels.get(frame.channel);
    if (!stream) return;
    const have = offsets.get(stream.id) ?? 0;
    const fresh = frame.payload.subarray(Math.max(0, have - frame.offset));
    if (fresh.length === 0) return;
    handlers.onBytes?.(stream, fresh, have);
    offsets.set(stream.id, have + fresh.length);
  };

  return new Promise((resolve, reject) => {
    let why = "connection lost";
    socket.on("open", () =>
      socket.send(JSON.stringify({ t: "resume", offsets: Object.fromEntries(offsets) })),
    );
    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (isBinary) onBinary(data as Buffer);
      else onText(JSON.parse((data as Buffer).toString()) as WireMessage);
    });
    socket.on("unexpected-response", (_request, response) => {
      socket.terminate();
      const status = response.statusCode ?? 0;
      if (status >= 400 && status < 500 && status !== 429)
        reject(new WatchRefusedError(status, `the server refused to show this run (HTTP ${status})`));
      else resolve({ kind: "lost", why: `HTTP ${status}`, progressed });
    });
    socket.on("error", (error) => (why = error.message));
    socket.on("close", (code, reason) => {
      request.signal?.removeEventListener("abort", abort);
      if (request.signal?.aborted) reject(request.signal.reason as Error);
      else if (result) resolve({ kind: "end", result });
      else if (finalCloseCodes.has(code))
        reject(new WatchRefusedError(code, reason.toString() || `closed with ${code}`));
      else resolve({ kind: "lost", why, progressed });
    });
  });
}

function watchUrl(request: WatchRequest): string {
  const { owner, repo, pipeline } = request;
  const path = [owner, repo].map(encodeURIComponent).join("/");
  const url = new URL(
    `${request.baseUrl.replace(/^http/, "ws")}/repos/${path}/pipelines/${encodeURIComponent(pipeline)}/logs/stream`,
  );
  for (const name of ["job", "step", "attempt"] as const)
    if (request[name] !== undefined) url.searchParams.set(name, String(request[name]));
  return url.href;
}

function streamOf(message: Extract<WireMessage, { t: "stream" }>): WatchedStream {
  const { kind, stage, job, attempt, step, name } = message;
  return { id: message.stream_id, kind, stage, job, jobId: message.job_id, attempt, step, name };
}
