/**
 * Follows the log watch socket of one run (`…/pipelines/{id}/logs/stream`) in Node: bytes of each stream in order and
 * exactly once, from the first on, over any number of reconnects, and the status changes of the run.
 */
import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { rootCertificates } from "node:tls";
import { zstdDecompressSync } from "node:zlib";
import { WebSocket, type RawData } from "ws";
import { maxLogFrameBytes } from "./generated/log-frame.ts";
import {
  busyUntil,
  followWatch,
  narrowWatch,
  WatchRefusedError,
  type WatchConnection,
  type WatchHandlers,
  type WatchOutcome,
  type WatchResult,
} from "./watch-session.ts";

export interface WatchRequest {
  /** `{base_url}`. */
  baseUrl: string;
  owner: string;
  repo: string;
  /** Id or number of the run. */
  pipeline: string;
  token?: string;
  /** PEM of an authority to trust in addition to the system's. */
  ca?: string;
  job?: string;
  step?: string;
  attempt?: number;
  signal?: AbortSignal;
}

/** Resolves when the run is final and all its bytes were handed over. */
export function watchLogs(request: WatchRequest, handlers: WatchHandlers): Promise<WatchResult> {
  return followWatch((connection) => watchOnce(request, connection), handlers, {
    signal: request.signal,
    inflate: (payload) => zstdDecompressSync(payload, { maxOutputLength: maxLogFrameBytes }),
  });
}

function watchOnce(request: WatchRequest, connection: WatchConnection): Promise<WatchOutcome> {
  const socket = new WebSocket(watchUrl(request), {
    ...(request.ca === undefined ? {} : { ca: [...rootCertificates, request.ca] }),
    ...(request.token === undefined ? {} : { headers: { authorization: `Bearer ${request.token}` } }),
    handshakeTimeout: 10_000,
  });
  socket.binaryType = "nodebuffer";
  const abort = () => socket.terminate();
  request.signal?.addEventListener("abort", abort, { once: true });

  return new Promise((resolve, reject) => {
    let why = "connection lost";
    socket.on("open", () => socket.send(connection.greeting()));
    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (isBinary) connection.bytes(data as Buffer);
      else connection.text((data as Buffer).toString());
    });
    socket.on("unexpected-response", (_request, response) => {
      const status = response.statusCode ?? 0;
      const retryAfter = Number(response.headers["retry-after"]) || null;
      if (status === 429) {
        // What is said there is for people: which limit it is, and what helps.
        void messageOf(response).then((why) => {
          socket.terminate();
          resolve(busyUntil(why, retryAfter));
        });
        return;
      }
      socket.terminate();
      if (status >= 400 && status < 500)
        reject(new WatchRefusedError(status, `the server refused to show this run (HTTP ${status})`));
      else resolve({ kind: "lost", why: `HTTP ${status}`, progressed: false });
    });
    socket.on("error", (error) => (why = error.message));
    socket.on("close", (code, reason) => {
      request.signal?.removeEventListener("abort", abort);
      try {
        request.signal?.throwIfAborted();
        resolve(connection.closed(code, reason.toString(), why));
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

async function messageOf(response: IncomingMessage): Promise<string> {
  const body = await json(response).catch(() => null);
  const isTold = typeof body === "object" && body !== null && "message" in body;
  return isTold ? String(body.message) : "the server answered HTTP 429";
}

function watchUrl(request: WatchRequest): string {
  const { owner, repo, pipeline } = request;
  const path = [owner, repo].map(encodeURIComponent).join("/");
  const url = `${request.baseUrl.replace(/^http/, "ws")}/repos/${path}/pipelines/${encodeURIComponent(pipeline)}/logs/stream`;
  return narrowWatch(new URL(url), request).href;
}
