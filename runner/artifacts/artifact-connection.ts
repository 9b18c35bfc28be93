/**
 * Requests about artifacts and caches: to the server with the job's token, and to wherever the server says that parts lie. A server that
 * is away for some minutes, as while it is updated, ends no job.
 */
import { readFileSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { getCACertificates } from "node:tls";
import type { z } from "zod";
import { ArtifactError } from "./artifact-error.ts";
import type { KeptParts } from "./kept-parts.ts";

export interface ConnectionSettings {
  /** `https://HOST`, as this machine reaches it. */
  serverUrl: string;
  token: string;
  caFile: string | null;
  baseEnv: Readonly<Record<string, string>>;
  /** Where the server takes these requests. */
  basePath: string;
  /** Absent: nothing is kept. */
  kept?: KeptParts;
}

export interface DirectAddress {
  href: string;
  headers: Record<string, string>;
}

export interface ArtifactConnection {
  /** Parts that need not be fetched. Absent: none. */
  kept?: KeptParts;
  /** Throws `ArtifactError`, with the server's own words. */
  ask<S extends z.ZodType>(
    path: string,
    question: { body: object; answer: S; signal: AbortSignal },
  ): Promise<z.output<S>>;
  /** To the server where `direct` is null. Throws `ArtifactError`; does not try again. */
  put(
    place: { path: string; direct: DirectAddress | null },
    bytes: Buffer,
    signal: AbortSignal,
  ): Promise<void>;
  /** As `put`; at most `maxBytes`. */
  get(
    place: { path: string; direct: DirectAddress | null },
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Buffer>;
  close(): void;
}

const silenceMs = 60_000;
const maxAnswerBytes = 4 * 1024 * 1024;
const firstDelayMs = 500;
const longestDelayMs = 15_000;
const patienceMs = 10 * 60_000;

/** Until it works, cannot work, or nobody waits for it any longer. Throws the last problem, or the reason of the signal. */
export async function persist<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const since = performance.now();
  for (let waitMs = firstDelayMs; ; waitMs = Math.min(2 * waitMs, longestDelayMs)) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const isLast = performance.now() - since > patienceMs;
      if (!(error instanceof ArtifactError) || !error.isPassing || isLast) throw error;
      await delay(waitMs, undefined, { signal });
    }
  }
}

interface Call {
  method: "GET" | "POST" | "PUT";
  headers: Record<string, string>;
  body?: Buffer;
  signal: AbortSignal;
}

export function openArtifactConnection(settings: ConnectionSettings): ArtifactConnection {
  const { serverUrl, token, caFile, basePath } = settings;
  const common = { keepAlive: true, timeout: silenceMs, proxyEnv: { ...settings.baseEnv } };
  const ca = caFile === null ? [] : [readFileSync(caFile, "utf8")];
  const ours = new https.Agent({ ...common, ...(ca.length > 0 && { ca }) });
  // Elsewhere any authority will do that this machine trusts.
  const theirs = new https.Agent({ ...common, ca: [...getCACertificates("default"), ...ca] });
  const plain = new http.Agent(common);
  const authorization = { Authorization: `Bearer ${token}` };

  function send(href: string, { body, ...call }: Call, agent?: https.Agent): Promise<http.IncomingMessage> {
    const address = new URL(href);
    const isSecure = address.protocol === "https:";
    const { request } = isSecure ? https : http;
    const length = body ? { "Content-Length": String(body.length) } : {};
    return new Promise((resolve, reject) => {
      const outgoing = request(
        address,
        { ...call, headers: { ...call.headers, ...length }, agent: isSecure ? (agent ?? theirs) : plain },
        resolve,
      );
      outgoing.on("timeout", () =>
        outgoing.destroy(new Error(`nothing was received for ${silenceMs / 1000} s`)),
      );
      outgoing.on("error", (error) => reject(new ArtifactError(`${address.host}: ${error.message}`, true)));
      outgoing.end(body);
    });
  }

  /** Where a part goes to or comes from. */
  function sendPart(place: { path: string; direct: DirectAddress | null }, call: Omit<Call, "headers">) {
    if (place.direct) return send(place.direct.href, { ...call, headers: place.direct.headers });
    return send(ourAddress(place.path), { ...call, headers: authorization }, ours);
  }

  const ourAddress = (path: string) => `${serverUrl}${basePath}${path}`;

  return {
    ...(settings.kept && { kept: settings.kept }),
    async ask(path, { body, answer, signal }) {
      const text = await persist(signal, async () => {
        const headers = { ...authorization, "Content-Type": "application/json" };
        const call: Call = { method: "POST", headers, body: Buffer.from(JSON.stringify(body)), signal };
        return readAnswer(await send(ourAddress(path), call, ours), maxAnswerBytes);
      });
      const parsed = answer.safeParse(JSON.parse(text.toString()));
      if (parsed.success) return parsed.data;
      throw new ArtifactError("the server's answer was not understood");
    },
    async put(place, bytes, signal) {
      await readAnswer(await sendPart(place, { method: "PUT", body: bytes, signal }), maxAnswerBytes);
    },
    async get(place, maxBytes, signal) {
      return readAnswer(await sendPart(place, { method: "GET", signal }), maxBytes);
    },
    close() {
      for (const agent of [ours, theirs, plain]) agent.destroy();
    },
  };
}

/** The body of a good answer. An address lasts some minutes, so 403 of a store is worth another question; the server's own is final. */
async function readAnswer(answer: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { statusCode = 0 } = answer;
  const bytes = await readBytes(answer, maxBytes);
  if (statusCode === 200) return bytes;
  const told = problemOf(bytes);
  const isPassing =
    statusCode >= 500 || [408, 429].includes(statusCode) || (told === null && statusCode === 403);
  throw new ArtifactError(told ?? `the response was ${statusCode}`, isPassing);
}

async function readBytes(answer: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxBytes) throw new ArtifactError("the response is too long");
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof ArtifactError) throw error;
    throw new ArtifactError(`the connection broke: ${(error as Error).message}`, true);
  }
  return Buffer.concat(pieces);
}

/** The server's words; null for an answer that is not the server's. */
function problemOf(bytes: Buffer): string | null {
  try {
    const { message } = JSON.parse(bytes.toString()) as { message?: unknown };
    return typeof message === "string" ? message : null;
  } catch {
    return null;
  }
}
