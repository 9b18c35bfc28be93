/** A client as a user's program is one: JSON over one kept connection, and the log watch socket. */
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import { WebSocket } from "ws";
import { decodeLogFrame, type LogFrame } from "@forgeline/schemas/logs/frame.ts";
import { logWatchProtocol } from "@forgeline/schemas/logs/routes.ts";
import type { WatchMessage } from "@forgeline/schemas/logs/watch.ts";
import type { TestInstance } from "../test/support/instance.ts";
import { nowMs } from "./statistics.ts";

type Of<Kind extends WatchMessage["t"]> = Extract<WatchMessage, { t: Kind }>;

export interface WatchListener {
  frame?(stream: Of<"stream">, frame: LogFrame, atMs: number): void;
  eof?(stream: Of<"stream">, eof: Of<"eof">, atMs: number): void;
  status?(status: Of<"status">, atMs: number): void;
}

export interface Watch {
  opened: Promise<void>;
  /** The final status and when it was known. Rejects when the socket closes before. */
  ended: Promise<{ status: string; atMs: number }>;
  close(): void;
}

export interface BenchClient {
  /** Headers of a GET. */
  headers(path: string): Promise<IncomingHttpHeaders>;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** `query` such as `?step=0`. */
  watch(pipelinePath: string, listener: WatchListener, query?: string): Watch;
  close(): void;
}

export async function createBenchClient(instance: TestInstance): Promise<BenchClient> {
  const ca = await readFile(instance.certificates.caFile);
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca });
  const authorization = `Bearer ${instance.adminToken}`;

  function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization,
      ...(text === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${instance.url}/api/v1${path}`, { method, agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const answer = Buffer.concat(parts).toString();
          if ((response.statusCode ?? 500) < 300) resolve((answer ? JSON.parse(answer) : undefined) as T);
          else reject(new Error(`${method} ${path}: HTTP ${response.statusCode} ${answer}`));
        });
      });
      sent.on("error", reject);
      sent.end(text);
    });
  }

  function headers(path: string): Promise<IncomingHttpHeaders> {
    return new Promise((resolve, reject) => {
      const options = { agent, headers: { authorization } };
      request(`${instance.url}/api/v1${path}`, options, (response) => {
        response.resume();
        resolve(response.headers);
      })
        .on("error", reject)
        .end();
    });
  }

  function watch(pipelinePath: string, listener: WatchListener, query = ""): Watch {
    const url = `${instance.url.replace("https:", "wss:")}/api/v1${pipelinePath}/logs/stream${query}`;
    const socket = new WebSocket(url, [logWatchProtocol], {
      ca,
      headers: { authorization },
      perMessageDeflate: false,
    });
    return observe(socket, listener);
  }
  return { call, headers, watch, close: () => agent.destroy() };
}

function observe(socket: WebSocket, listener: WatchListener): Watch {
  const streams = new Map<number, Of<"stream">>();
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<{ status: string; atMs: number }>();
  const onMessage = (message: WatchMessage, atMs: number) => {
    if (message.t === "stream") streams.set(message.channel, message);
    else if (message.t === "status") listener.status?.(message, atMs);
    else if (message.t === "end") ended.resolve({ status: message.status, atMs });
    else if (message.t === "busy") ended.reject(new Error(message.message));
    else {
      const stream = streams.get(message.channel);
      if (stream) listener.eof?.(stream, message, atMs);
    }
  };
  socket.on("open", () => opened.resolve());
  socket.on("message", (data: Buffer, isBinary) => {
    const atMs = nowMs();
    if (!isBinary) return onMessage(JSON.parse(data.toString()) as WatchMessage, atMs);
    const frame = decodeLogFrame(data);
    const stream = streams.get(frame.channel);
    if (stream) listener.frame?.(stream, frame, atMs);
  });
  const fail = (error: Error) => {
    opened.reject(error);
    ended.reject(error);
  };
  socket.on("error", fail);
  socket.on("close", (code) => fail(new Error(`the watch socket closed with ${code}`)));
  opened.promise.catch(() => undefined);
  ended.promise.catch(() => undefined);
  return { opened: opened.promise, ended: ended.promise, close: () => socket.terminate() };
}
